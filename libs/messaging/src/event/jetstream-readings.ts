import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { BacklogState } from '../messaging.metrics.ts';
import { DEAD_LETTER_STREAM, deadLetterSubject, EVENT_STREAM } from './streams.ts';

/** Messages that wait for a service's durable consumer; 0 without a consumer. */
export async function readBacklog(nats: NatsConnection, service: string): Promise<ReadonlyMap<BacklogState, number>> {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const consumer = await manager.consumers.info(EVENT_STREAM, service).catch(orMissing);
  return new Map([
    ['waiting', consumer?.num_pending ?? 0],
    ['unacknowledged', consumer?.num_ack_pending ?? 0],
    ['redelivered', consumer?.num_redelivered ?? 0],
  ]);
}

/** Number of a service's dead letters in their stream. */
export async function readDeadLetters(nats: NatsConnection, service: string): Promise<number> {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const subjects_filter = deadLetterSubject(service, '>');
  const stream = await manager.streams.info(DEAD_LETTER_STREAM, { subjects_filter }).catch(orMissing);
  return Object.values(stream?.state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
}

/** Returns undefined for a stream or consumer that JetStream has lost: services recreate it within seconds. */
function orMissing(error: unknown): undefined {
  if (error instanceof JetStreamApiError && error.status === 404) return undefined;
  throw error;
}
