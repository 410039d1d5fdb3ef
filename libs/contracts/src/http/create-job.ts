import { z } from 'zod';
import { signedAgreementSchema } from '../agreement.ts';
import { jobMetadataSchema } from '../job-metadata.ts';
import { jobIdSchema, recipientSchema, timeSchema, weiSchema } from '../primitives.ts';
import { jobPlanSchema, planRequestSchema } from './plan.ts';
import { returnAddressConsentSchema } from './return-address.ts';
import { stopSecretHashSchema, stopSecretSchema } from './stop-job.ts';

/** Body of `POST /jobs/create`. Source: specification § 3; `returnAddress`: design § 4. */
export const createJobRequestSchema = z.object({
  ...planRequestSchema.shape,
  returnAddress: recipientSchema
    .optional()
    .describe('Where bought tokens and unspent HYPE go. Without it: to the sender of a plain transfer.'),
  ...returnAddressConsentSchema,
  metadata: jobMetadataSchema.optional(),
  stopSecretHash: stopSecretHashSchema
    .optional()
    .describe('Hash of a stop secret that you made. Then you alone know the secret, and no answer has it.'),
});
export type CreateJobRequest = z.input<typeof createJobRequestSchema>;

/** Answer of `POST /jobs/create`. Source: specification § 3; `plan`: design § 4a. */
export const createJobResponseSchema = z.object({
  jobId: jobIdSchema,
  paymentAddress: z.string().describe('Wallet of the job, to which the payer sends HYPE. EIP-55 checksummed.'),
  paymentAmount: z.number().describe('In HYPE.'),
  paymentAmountWei: weiSchema,
  paymentDeadline: timeSchema,
  plan: jobPlanSchema.optional().describe('What the job will do after its payment.'),
  metadata: jobMetadataSchema.optional(),
  agreement: signedAgreementSchema
    .optional()
    .describe('What the job is created for, signed by the service. Keep it: it proves the address and the terms.'),
  stopSecret: stopSecretSchema
    .optional()
    .describe(
      'Secret that stops the job. Keep it: the service has only its hash. A repeated request gets it again only if its Idempotency-Key is a UUID v4 or has as many random bits. Absent if you sent `stopSecretHash`.',
    ),
});
export type CreateJobResponse = z.infer<typeof createJobResponseSchema>;

/** Header that makes a repeated job creation answer with the first job. Source: design § 4 'Address'. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** Header of the answer to a repeated job creation, with the value `true`. Source: docs/adr/0004. */
export const IDEMPOTENT_REPLAYED_HEADER = 'idempotent-replayed';

/** An idempotency key: printable ASCII without spaces, such as a UUID or ULID. */
export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .meta({
    description:
      'Makes a repeated request answer with the first job. Use a new UUID v4 for each job, and keep it secret: it gets the stop secret again. A key that can be guessed, such as an order number, is refused for public API keys; for the others its repetitions have no stop secret.',
    examples: ['8c1b5f0e-3f0d-4c0a-9f5e-2f1f6f0c9a11'],
  });
