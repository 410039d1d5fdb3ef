import { z } from 'zod';
import { jobIdSchema } from '../primitives.ts';

/** Subject of {@link jobChangesSchema}. Each replica of job publishes, each gateway subscribes. */
export const JOB_CHANGES_SUBJECT = 'changes.job';

/** Time between two messages of a feed while nothing changes, ms. */
export const JOB_CHANGES_BEAT_MS = 500;

/**
 * One message of a feed: the jobs that the job service has just written. A feed reports every change after its first message.
 * A gap in its numbers shows a lost message. It also sends messages while nothing changes. Source: docs/adr/0031.
 */
export const jobChangesSchema = z.object({
  /** Id of the feed: one replica has one from when it begins to follow its database. */
  feed: z.string(),
  /** Number of the message in the feed, without gaps. */
  sequence: z.number().int().nonnegative(),
  /** Jobs whose row changed; empty if none did. */
  jobIds: z.array(jobIdSchema),
  /** Whether the status of one of them changed, and so the figures of the landing page. */
  statusChanged: z.boolean(),
  /** At publication, the feed has reported all writes until this long before, ms. After a pause, more may follow. */
  ageMs: z.number().nonnegative(),
});
export type JobChanges = z.infer<typeof jobChangesSchema>;
