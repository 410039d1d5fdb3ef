import type { JetStreamManager } from '@nats-io/jetstream';

/** Stream of every event; its subjects are `events.<type>`. */
export const EVENT_STREAM = 'EVENTS';

/** Stream of messages that failed in every delivery: `dead.<service>.<type>`, kept for an operator. */
export const DEAD_LETTER_STREAM = 'DEAD_LETTERS';

/** Subject of an event type. */
export const eventSubject = (type: string) => `events.${type}`;

/** Subject of a service's dead letters of an event type. */
export const deadLetterSubject = (service: string, type: string) => `dead.${service}.${type}`;

const NANOSECONDS_PER_SECOND = 1_000_000_000;
const DAY_SECONDS = 86_400;

/** Creates both streams, or leaves existing ones unchanged: any service may start first. */
export async function ensureStreams(manager: JetStreamManager): Promise<void> {
  await manager.streams.add({
    name: EVENT_STREAM,
    subjects: ['events.>'],
    max_age: 7 * DAY_SECONDS * NANOSECONDS_PER_SECOND,
    duplicate_window: 120 * NANOSECONDS_PER_SECOND,
  });
  await manager.streams.add({
    name: DEAD_LETTER_STREAM,
    subjects: ['dead.>'],
    max_age: 30 * DAY_SECONDS * NANOSECONDS_PER_SECOND,
  });
}
