import { z } from 'zod';
import { addressSchema, jobIdSchema, priceX96Schema, timeSchema, weiSchema } from './primitives.ts';

const bps = (what: string) => z.number().int().nonnegative().describe(`${what}, in basis points.`);

/** SHA-256 as hexadecimal text. */
const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** What a job was created for. The job service signs it, so that no other service can show another. Source: docs/adr/0145. */
export const agreementSchema = z.object({
  jobId: jobIdSchema,
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
  signature: z
    .string()
    .regex(/^0x[0-9a-f]{130}$/)
    .describe('65 bytes, by the key of agreements.'),
});
export type SignedAgreement = z.infer<typeof signedAgreementSchema>;
