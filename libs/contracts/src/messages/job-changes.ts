import { z } from 'zod';
import { jobIdSchema } from '../primitives.ts';

/** Subject of {@link jobChangesSchema}: published by each replica of job, heard by each gateway. No stream keeps it. */
export const JOB_CHANGES_SUBJECT = 'changes.job';

/** Between two messages of a feed while nothing changes, ms. */
export const JOB_CHANGES_BEAT_MS = 500;

/**
 * Which jobs the job service has written, told at once: one message of a feed. A feed tells of every change since its first
 * message, and says by its numbers when one was lost; when nothing changes it says that. Source: docs/adr/0031.
 */
export const jobChangesSchema = z.object({
  /** One replica's, since it began to listen to its database. */
  feed: z.string(),
  /** One more with each message of the feed. */
  sequence: z.number().int().nonnegative(),
  /** Jobs whose row changed; none in a message that says that nothing did. */
  jobIds: z.array(jobIdSchema),
  /** Whether one of them took another status, and with it the figures of the landing page. */
  statusChanged: z.boolean(),
  /** How long before this was published everything had been told that was written until then, ms. More may be on its way after a pause. */
  ageMs: z.number().nonnegative(),
});
export type JobChanges = z.infer<typeof jobChangesSchema>;
