import { z } from 'zod';
import { eventSchema } from '../events/event.ts';
import { jobIdSchema } from '../primitives.ts';
import { contract } from './request-contract.ts';

/** Services that record events. */
export const EVENT_SOURCES = ['job', 'payment-watcher', 'maker-executor'] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

/** Subject of a message without content: a source has new rows in its log. Consumers also ask once a second. Source: docs/adr/0166. */
export const doorbellOf = (source: EventSource) => `events.${source}`;

/** A place in a log: a number, and the id of the row that has it. A log without this row was restored to an older point. */
const logPositionSchema = z.object({ number: z.number().int().nonnegative(), id: z.string() });
export type LogPosition = z.output<typeof logPositionSchema>;

/** Before the first row. */
export const FIRST_POSITION: LogPosition = { number: 0, id: '' };

const eventPageSchema = z.object({
  /** False if the log has no such row; the events then begin at its start. */
  isKnown: z.boolean(),
  events: z.array(z.object({ number: z.number().int().positive(), event: eventSchema })),
  /** All rows of the requested types up to here are in this page or an earlier one. */
  upTo: logPositionSchema,
  isEnd: z.boolean(),
});
export type EventPage = z.output<typeof eventPageSchema>;

/** Answered by every service with an outbox, at `<service>.events.list`: rows of its log after a place, in order. Source: docs/adr/0166. */
export function listEvents(service: EventSource) {
  return contract(
    `${service}.events.list`,
    z.object({
      after: logPositionSchema,
      types: z.array(z.string()).min(1),
      limit: z.number().int().min(1).max(500),
      /** Whether the source rang: it then reads its database, and not the end of the log that it last saw. */
      isRung: z.boolean().default(false),
    }),
    eventPageSchema,
  );
}

/** Subject of {@link executionChangesSchema}. maker-executor publishes, each gateway subscribes. */
export const EXECUTION_CHANGES_SUBJECT = 'changes.execution';

/** Jobs whose execution, and so whose receipt, has changed. A lost message costs time: a status with its receipt is cached for a second. */
export const executionChangesSchema = z.object({ jobIds: z.array(jobIdSchema) });
export type ExecutionChanges = z.output<typeof executionChangesSchema>;

/** Subject on which a source reports the jobs of its new rows. The other sources' changes are writes of job, which {@link JOB_CHANGES_SUBJECT} reports. */
export const CHANGES_OF_SOURCE: Partial<Record<EventSource, string>> = { 'maker-executor': EXECUTION_CHANGES_SUBJECT };
