import { z } from 'zod';
import { addressSchema, hashSchema, priceX96Schema, timeSchema, weiSchema } from './primitives.ts';

const bps = (what: string) => z.number().int().nonnegative().describe(`${what}, in basis points.`);

/** SHA-256 as hexadecimal text. */
const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

const signatureSchema = z
  .string()
  .regex(/^0x[0-9a-f]{130}$/)
  .describe('65 bytes, by the key of agreements.');

/** What a job was created for. The job service signs it, so that no other service can show another. Source: docs/adr/0145. */
export const agreementSchema = z.object({
  jobId: z.string().describe('Job id.'),
  chainId: z.number().int().positive().describe('Chain of the job.'),
  wallet: addressSchema.describe('Payment address of the job.'),
  tokenAddress: addressSchema,
  amountWei: weiSchema,
  leastWei: weiSchema.describe('Least payment that starts the job by itself.'),
  deadline: timeSchema.describe('Deadline of the payment.'),
  returnAddress: addressSchema.nullable().describe('Null: tokens and unspent HYPE go to the payer.'),
  seenPriceX96: priceX96Schema,
  bandBps: bps('Band of prices in which the job trades'),
  slippageBps: bps('Slippage limit'),
  impactCapBps: bps('Most that one order may move the price'),
  latestEndAt: timeSchema,
  stopSecretHash: digestSchema.describe('Hash of the stop secret.'),
  claim: digestSchema.describe(
    'Hash of the idempotency key with the name of the API key: it binds the answer to its request.',
  ),
  createdAt: timeSchema,
});
export type Agreement = z.infer<typeof agreementSchema>;

/** An agreement with the job service's signature of its typed data (EIP-712). */
export const signedAgreementSchema = z.object({
  agreement: agreementSchema.describe('The signed terms.'),
  signature: signatureSchema,
});
export type SignedAgreement = z.infer<typeof signedAgreementSchema>;

/** The payment that started a job, and the times of the plan that was made for it. */
export const activationSchema = z.object({
  depositWei: weiSchema,
  paidAt: timeSchema.describe('Time of the newest block of the payment, or of the start with less.'),
  payer: addressSchema.nullable().describe('Sender of the payment; null if none is known.'),
  slotMs: z.number().positive().describe('Time between two standard orders, ms.'),
  tradingEndsAt: timeSchema.describe('The job places no order after this time.'),
  latestEndAt: timeSchema,
});
export type Activation = z.infer<typeof activationSchema>;

/**
 * A change of an agreement by right: another return address or a start with less by the holder of the stop secret, and the payment.
 * Each amendment names the hash of the one before, so that none can be left out. Source: docs/adr/0142.
 */
export const amendmentSchema = z.object({
  jobId: z.string().describe('Job id.'),
  sequence: z.number().int().positive().describe('1 for the first amendment of the job.'),
  previous: hashSchema.describe('Hash of the agreement, or of the amendment before.'),
  returnAddress: addressSchema.nullable().describe('Null: not changed.'),
  leastWei: weiSchema.nullable().describe('Least payment that starts the job; null: not changed.'),
  activation: activationSchema.nullable().describe('Present in the last amendment, by which the job starts.'),
  createdAt: timeSchema,
});
export type Amendment = z.infer<typeof amendmentSchema>;

/** Most amendments of a job: a payer may change the return address several times. */
export const MOST_AMENDMENTS = 16;

/** An agreement with all of its amendments, each signed. */
export const signedTermsSchema = signedAgreementSchema.extend({
  amendments: z
    .array(z.object({ amendment: amendmentSchema.describe('The signed change.'), signature: signatureSchema }))
    .max(MOST_AMENDMENTS)
    .describe('Changes of the agreement, oldest first.'),
});
export type SignedTerms = z.infer<typeof signedTermsSchema>;
