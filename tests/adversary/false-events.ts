import { randomUUID } from 'node:crypto';
import {
  type EventContract,
  type EventSource,
  type LogPosition,
  listEvents,
  type paymentReceived,
  refundDue,
} from '@maker/contracts';
import type { ServiceName } from '@maker/local-stack';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import type { Hash, PublicClient } from 'viem';
import type { z } from 'zod';
import { replyOf } from './forged-replies.ts';
import type { GuardedStack } from './guarded-stack.ts';

/** A plain transfer that an attacker claims. */
export interface ClaimedTransfer {
  readonly wallet: string;
  readonly from: string;
  readonly transactionHash: Hash;
  readonly amountWei: string;
  readonly blockNumber: bigint;
}

/** A request for a source's events, as far as the attacker needs it. */
interface ListRequest {
  readonly id: string;
  readonly data: { readonly after: LogPosition; readonly types: readonly string[] };
}

/** Requests of one consumer without the type, after which no consumer will ask for it: each asks once a second. */
const REQUESTS_WITHOUT = 3;

/** The only service that records a type. */
function sourceOf(type: string): EventSource {
  if (type.startsWith('payment.')) return 'payment-watcher';
  return type.startsWith('job.') || type === refundDue.type ? 'job' : 'maker-executor';
}

/**
 * Lists an event with the rights of its source's NATS user: each consumer gets it once, in place of the source's own answer.
 * Resolves when one has it, or when none asks for its type.
 */
export async function publishEvent<Data extends z.ZodType>(
  connection: NatsConnection,
  { type, version }: EventContract<string, Data>,
  jobId: string,
  data: z.input<Data>,
): Promise<void> {
  const event = { id: randomUUID(), type, version, occurredAt: new Date().toISOString(), jobId, data };
  const told = new Map<string, number>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const callback = (_error: Error | null, message: Msg) => {
    const { id, data: query } = message.json<ListRequest>();
    const [, consumer = ''] = (message.reply ?? '').split('.');
    const before = told.get(consumer) ?? 0;
    const wants = query.types.includes(type);
    if (wants && before < REQUESTS_WITHOUT) {
      told.set(consumer, REQUESTS_WITHOUT);
      const page = {
        isKnown: true,
        events: [{ number: query.after.number + 1, event }],
        upTo: query.after,
        isEnd: true,
      };
      message.respond(replyOf(page, id));
      resolve();
    }
    if (wants) return;
    told.set(consumer, before + 1);
    if (before + 1 >= REQUESTS_WITHOUT) resolve();
  };
  connection.subscribe(listEvents(sourceOf(type)).subject, { callback });
  await connection.flush();
  await promise;
}

/** Records an event in a service's outbox, as the owner of its database could; the relay of the service numbers it. */
export async function recordEvent<Data extends z.ZodType>(
  { running }: Pick<GuardedStack, 'running'>,
  service: ServiceName,
  { type, version }: EventContract<string, Data>,
  jobId: string,
  data: z.input<Data>,
): Promise<void> {
  const client = new MongoClient(running.stack.mongoUrl);
  const outbox = client.db(service.replaceAll('-', '_')).collection<{ _id: string }>('outbox');
  const row = { type, version, occurredAt: new Date(), jobId, data };
  await outbox.insertOne({ _id: randomUUID(), ...row });
  await client.close();
}

/** Event data of the transfer, as payment-watcher publishes it. */
export async function claimedDeposit(
  chain: Pick<PublicClient, 'getBlock'>,
  { wallet, blockNumber, ...claimed }: ClaimedTransfer,
): Promise<z.input<typeof paymentReceived.data>> {
  const { timestamp } = await chain.getBlock({ blockNumber });
  return {
    ...claimed,
    depositId: `${wallet}:${claimed.transactionHash}`.toLowerCase(),
    kind: 'transfer',
    blockNumber: Number(blockNumber),
    blockAt: new Date(Number(timestamp) * 1000).toISOString(),
  };
}
