import { z } from 'zod';
import { jobStatusSchema } from '../primitives.ts';

/** What proves that somebody may stop a job: 'stop_' and 192 random bits, told once, in the answer of its creation. */
export const stopSecretSchema = z
  .string()
  .regex(/^stop_[A-Za-z0-9_-]{32}$/, 'is not a stop secret')
  .meta({
    description: 'Secret that stops the job. Only the answer of its creation has it.',
    examples: ['stop_AbCdEfGhIjKlMnOpQrStUvWxYz012345'],
  });

/** Body of `POST /jobs/{jobId}/stop`: never in the path, which logs keep. */
export const stopJobRequestSchema = z.object({ stopSecret: stopSecretSchema });
export type StopJobRequest = z.infer<typeof stopJobRequestSchema>;

/** Answer of `POST /jobs/{jobId}/stop`; a repetition is answered alike. */
export const stopJobResponseSchema = z.object({
  status: jobStatusSchema.describe('`active` until what was bought is delivered and the rest is returned.'),
  outcome: z.string().describe('What happens now, in a sentence.'),
});
export type StopJobResponse = z.infer<typeof stopJobResponseSchema>;
