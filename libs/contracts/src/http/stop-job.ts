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

/** Hash of a stop secret: SHA-256 of its proof, as hexadecimal text. See stopCommitment and stopProof of libs/signing. */
export const stopSecretHashSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'is not the hash of a stop secret: 64 hexadecimal digits in lower case')
  .meta({ examples: ['42034176083ce213b320bcd6f0044ddb94d98fccfdb9d47cadee5efe8e190875'] });

/** Body of `POST /jobs/{jobId}/stop`. The secret is not in the path, because logs keep paths. */
export const stopJobRequestSchema = z.object({ stopSecret: stopSecretSchema });
export type StopJobRequest = z.infer<typeof stopJobRequestSchema>;

/** Answer of `POST /jobs/{jobId}/stop`; a repeated request gets the same answer. */
export const stopJobResponseSchema = z.object({
  status: jobStatusSchema.describe('`active` until the tokens are delivered and the rest is returned.'),
  outcome: z.string().describe('What happens now, in a sentence.'),
});
export type StopJobResponse = z.infer<typeof stopJobResponseSchema>;
