import { z } from 'zod';
import { jobStatusSchema, weiSchema } from '../primitives.ts';
import { stopSecretSchema } from './stop-job.ts';

/** Body of `POST /jobs/{jobId}/start`. */
export const startJobRequestSchema = z.object({ stopSecret: stopSecretSchema });
export type StartJobRequest = z.infer<typeof startJobRequestSchema>;

/** Answer of `POST /jobs/{jobId}/start`; a repeated request gets the same sum. */
export const startJobResponseSchema = z.object({
  status: jobStatusSchema,
  amountWei: weiSchema.describe('Sum with which the job started: fee and plan are calculated from it.'),
});
export type StartJobResponse = z.infer<typeof startJobResponseSchema>;
