import { z } from 'zod';
import { jobStatusSchema } from '../primitives.ts';

/** The secret that allows to stop a job: 'stop_' and 192 random bits. Only the answer of the job's creation has it. */
export const stopSecretSchema = z
  .string()
  .regex(/^stop_[A-Za-z0-9_-]{32}$/, 'is not a stop secret')
  .meta({
    description: 'Secret that stops the job. Only the answer of its creation has it.',
    examples: ['stop_AbCdEfGhIjKlMnOpQrStUvWxYz012345'],
  });

/** Body of `POST /jobs/{jobId}/stop`. The secret is not in the path, because logs keep paths. */
export const stopJobRequestSchema = z.object({ stopSecret: stopSecretSchema });
export type StopJobRequest = z.infer<typeof stopJobRequestSchema>;

/** Answer of `POST /jobs/{jobId}/stop`; a repeated request gets the same answer. */
export const stopJobResponseSchema = z.object({
  status: jobStatusSchema.describe('`active` until the tokens are delivered and the rest is returned.'),
  outcome: z.string().describe('What happens now, in a sentence.'),
});
export type StopJobResponse = z.infer<typeof stopJobResponseSchema>;
