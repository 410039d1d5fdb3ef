import { z } from 'zod';
import { jobIdSchema, timeSchema } from '../primitives.ts';

/** Envelope of every event. `id` is the id of its row in the outbox. Source: design § 3. */
export const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  version: z.number().int().positive(),
  occurredAt: timeSchema,
  jobId: jobIdSchema,
  /** Id of the HTTP request that led to the event, if there was one. */
  requestId: z.string().optional(),
  /** Trace context of the code that recorded the event; present while tracing is on. Source: W3C Trace Context. */
  traceparent: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
});
export type Event = z.infer<typeof eventSchema>;

/** One kind of event: its type, version and the schema of its data. */
export interface EventContract<Type extends string, Data extends z.ZodType> {
  readonly type: Type;
  readonly version: number;
  readonly data: Data;
}

/** Declares a kind of event; the type is in the past tense, such as `job.created`. */
export function defineEvent<Type extends string, Data extends z.ZodType>(
  type: Type,
  data: Data,
): EventContract<Type, Data> {
  return { type, version: 1, data };
}
