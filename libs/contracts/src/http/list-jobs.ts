import { z } from 'zod';
import { metadataEntrySchema } from '../job-metadata.ts';
import { jobStatusSchema, timeSchema } from '../primitives.ts';
import { jobStatusResponseSchema } from './job-status.ts';

/** Position in a list of jobs: time of creation, ms, and the random part of the id of the last job of a page. */
export const jobCursorSchema = z
  .string()
  .regex(/^\d{1,15}-[0-9a-f]{32}$/, 'is not the cursor of a page')
  .meta({
    description: 'Cursor of a page: `next` of the page before.',
    examples: ['1767225600000-0123456789abcdef0123456789abcdef'],
  });

/** Query of `GET /jobs`. */
export const jobsQuerySchema = z.object({
  status: jobStatusSchema.optional(),
  createdAfter: timeSchema.optional().describe('Only jobs that were created after this time, as ISO 8601 in UTC.'),
  metadata: metadataEntrySchema.optional(),
  after: jobCursorSchema.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('Most entries of the page.'),
});
export type JobsQuery = z.infer<typeof jobsQuerySchema>;

/** A job in the list of an API key: no secret, and nothing that grows. */
export const listedJobSchema = jobStatusResponseSchema.pick({
  jobId: true,
  status: true,
  paymentReceived: true,
  paymentAddress: true,
  paymentAmount: true,
  paymentAmountWei: true,
  paymentDeadline: true,
  tokenAddress: true,
  createdAt: true,
  activatedAt: true,
  endedAt: true,
  failureReason: true,
  metadata: true,
});
export type ListedJob = z.infer<typeof listedJobSchema>;

/** Answer of `GET /jobs`. */
export const jobsResponseSchema = z.object({
  jobs: z.array(listedJobSchema).describe('The jobs, newest first. A page with long metadata has fewer than `limit`.'),
  next: jobCursorSchema.optional().describe('Cursor of the next page; absent on the last one.'),
});
export type JobsResponse = z.infer<typeof jobsResponseSchema>;
