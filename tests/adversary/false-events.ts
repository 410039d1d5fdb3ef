import { randomUUID } from 'node:crypto';
import type { EventContract, paymentReceived } from '@maker/contracts';
import type { ServiceName } from '@maker/local-stack';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import type { Hash, PublicClient } from 'viem';
import type { z } from 'zod';
import type { GuardedStack } from './guarded-stack.ts';

/** A plain transfer that an attacker claims. */
export interface ClaimedTransfer {
  readonly wallet: string;
  readonly from: string;
  readonly transactionHash: Hash;
  readonly amountWei: string;
  readonly blockNumber: bigint;
}

/** Publishes an event as a service would. */
export async function publishEvent<Data extends z.ZodType>(
  connection: NatsConnection,
  { type, version }: EventContract<string, Data>,
  jobId: string,
  data: z.input<Data>,
): Promise<void> {
  const event = { id: randomUUID(), type, version, occurredAt: new Date().toISOString(), jobId, data };
  await jetstream(connection).publish(`events.${type}`, JSON.stringify(event));
}

/** Records an event in a service's outbox, as the owner of its database could; the service publishes it. */
export async function recordEvent<Data extends z.ZodType>(
  { running }: Pick<GuardedStack, 'running'>,
  service: ServiceName,
  { type, version }: EventContract<string, Data>,
  jobId: string,
  data: z.input<Data>,
): Promise<void> {
  const client = new MongoClient(running.stack.mongoUrl);
  const outbox = client.db(service.replaceAll('-', '_')).collection<{ _id: string }>('outbox');
  const row = { type, version, occurredAt: new Date(), jobId, data, publishedAt: null };
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
