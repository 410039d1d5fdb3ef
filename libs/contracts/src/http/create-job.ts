import { z } from 'zod';
import { addressSchema, jobIdSchema, recipientSchema, timeSchema, weiSchema } from '../primitives.ts';
import { jobPlanSchema } from './plan.ts';
import { returnAddressConsentSchema } from './return-address.ts';
import { stopSecretSchema } from './stop-job.ts';

/** Body of `POST /jobs/create`. Source: specification § 3; `returnAddress`: design § 4. */
export const createJobRequestSchema = z.object({
  tokenAddress: addressSchema,
  /** In HYPE, as the visitor typed it. */
  paymentAmount: z.number().positive(),
  /** Where bought tokens and unspent HYPE go; without it, the sender of a plain transfer. */
  returnAddress: recipientSchema.optional(),
  ...returnAddressConsentSchema,
});
export type CreateJobRequest = z.infer<typeof createJobRequestSchema>;

/** Answer of `POST /jobs/create`. Source: specification § 3; `plan`: design § 4a. */
export const createJobResponseSchema = z.object({
  jobId: jobIdSchema,
  /** The job's one public wallet. EIP-55 checksummed. */
  paymentAddress: z.string(),
  /** In HYPE. */
  paymentAmount: z.number(),
  paymentAmountWei: weiSchema,
  paymentDeadline: timeSchema,
  /** What it will do once it is paid. */
  plan: jobPlanSchema.optional(),
  /** Lets who has it stop the job. Only here, and only while the job waits for its payment: no more than its hash is kept. */
  stopSecret: stopSecretSchema.optional(),
});
export type CreateJobResponse = z.infer<typeof createJobResponseSchema>;

/** Header that makes a repeated job creation answer with the first job. Source: design § 4 'Address'. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** An idempotency key: printable ASCII without spaces, as UUIDs and ULIDs are. */
export const idempotencyKeySchema = z.string().regex(/^[\x21-\x7e]{1,200}$/);
