import type { JetStreamManager } from '@nats-io/jetstream';

/** Stream of every event; its subjects are `events.<type>`. */
export const EVENT_STREAM = 'EVENTS';

/** Stream of messages that no delivery could process: `dead.<service>.<type>`, kept for an operator. */
export const DEAD_LETTER_STREAM = 'DEAD_LETTERS';

/** Subject of a type of event. */
export const eventSubject = (type: string) => `events.${type}`;

/** Subject under which a service gives up on a type of event. */
export const deadLetterSubject = (service: string, type: string) => `dead.${service}.${type}`;

const NANOSECONDS_PER_SECOND = 1_000_000_000;
const DAY_SECONDS = 86_400;

/** Creates both streams, or leaves them as they are: every service may come first. */
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
