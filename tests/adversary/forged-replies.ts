import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@maker/local-stack';
import type { Msg } from '@nats-io/transport-node';
import type { GuardedStack } from './guarded-stack.ts';

/** A request that the attacker sees, with its packet's id. */
export interface SeenRequest {
  readonly inbox: string;
  readonly id: string;
}

/** Watches the requests on a subject, with the rights of the service that answers them. @returns what ends the watch */
export async function watchRequests(
  stack: Pick<GuardedStack, 'as'>,
  responder: ServiceName,
  subject: string,
  onRequest: (request: SeenRequest) => void,
): Promise<() => void> {
  const connection = await stack.as(responder);
  const callback = (_error: Error | null, message: Msg) =>
    onRequest({ inbox: message.reply ?? '', id: message.json<{ id: string }>().id });
  const subscription = connection.subscribe(subject, { callback });
  await connection.flush();
  return () => subscription.unsubscribe();
}

/** A reply in Nest's format. @param id of the request; without it the reply names none */
export function replyOf(response: object, id?: string): string {
  return JSON.stringify({ ...(id !== undefined && { id }), response, isDisposed: true });
}

/** Answers a request with the rights of several users. */
export async function replyAs(
  stack: Pick<GuardedStack, 'as'>,
  users: readonly ServiceName[],
  { inbox, id }: SeenRequest,
  response: object,
): Promise<void> {
  for (const user of users) {
    const connection = await stack.as(user);
    for (const reply of [replyOf(response, id), replyOf(response)]) connection.publish(inbox, reply);
  }
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);
/** The last characters of a nuid are a counter with a constant step. */
const COUNTER_LENGTH = 10;

const counterOf = (inbox: string): bigint =>
  [...inbox.slice(-COUNTER_LENGTH)].reduce((value, digit) => value * BASE + BigInt(DIGITS.indexOf(digit)), 0n);

function textOf(counter: bigint): string {
  let text = '';
  for (let left = counter; text.length < COUNTER_LENGTH; left /= BASE) text = DIGITS.charAt(Number(left % BASE)) + text;
  return text;
}

const divisorOf = (one: bigint, other: bigint): bigint => (other === 0n ? one : divisorOf(other, one % other));

/** The next inboxes of a process that names them by nuid, the NATS client's default, from some that it named in turn. */
export function predictedInboxes(seen: readonly string[], count: number): string[] {
  const counters = seen.map(counterOf);
  const steps = counters.slice(1).map((counter, index) => counter - (counters[index] ?? 0n));
  const step = steps.reduce(divisorOf, 0n);
  const last = seen.at(-1) ?? '';
  return Array.from(
    { length: count },
    (_, index) => last.slice(0, -COUNTER_LENGTH) + textOf(counterOf(last) + step * BigInt(index + 1)),
  );
}

/** A recorded event that a forged list contains. */
export function listedEvent(type: string, jobId: string, data: object): object {
  return { id: randomUUID(), type, version: 1, occurredAt: new Date().toISOString(), jobId, data };
}
