import { z } from 'zod';
import { foundTokenSchema, hashSchema, jobIdSchema, jobStatusSchema, timeSchema, weiSchema } from '../primitives.ts';

/** A transaction that paid for a job. A job service of an earlier release recorded hash and amount only. */
export const depositTransactionSchema = z.object({
  transactionHash: hashSchema,
  amountWei: weiSchema,
  from: z.string().optional().describe('Sender of a plain transfer; absent for money that a contract moved.'),
  blockNumber: z.number().int().optional().describe('Number of the block.'),
  minedAt: timeSchema.optional(),
});
export type DepositTransaction = z.infer<typeof depositTransactionSchema>;

/** Answer of `GET /jobs/{jobId}/payment`. Source: specification § 3 (status, paymentReceived); the other fields are for the payment step. */
export const jobPaymentResponseSchema = z.object({
  jobId: jobIdSchema,
  status: jobStatusSchema,
  paymentReceived: z.boolean().describe('Whether enough money arrived in time.'),
  paymentAddress: z.string().describe('Wallet of the job, to which the payer sends HYPE.'),
  paymentAmount: z.number().describe('In HYPE.'),
  paymentAmountWei: weiSchema,
  paymentDeadline: timeSchema,
  leastPaymentWei: weiSchema
    .optional()
    .describe(
      'Least sum that starts the job by itself: 99 % of the amount. A job service of an earlier release omits it.',
    ),
  startableWei: weiSchema
    .optional()
    .describe('Sum with which the holder of the stop secret may start the job now; absent if none.'),
  waitingWei: weiSchema
    .optional()
    .describe('Money that is in a block and waits for its confirmation; absent if there is none.'),
  receivedWei: weiSchema.describe('Credited so far of money that arrived before the deadline.'),
  lateWei: weiSchema.describe('Credited so far of money that arrived after the deadline.'),
  droppedWei: weiSchema
    .optional()
    .describe(
      'Credited money whose block left the chain: it counts only if it is mined again. Absent if there is none.',
    ),
  hyperCoreWei: weiSchema
    .optional()
    .describe(
      'HYPE that the last search found at the address on HyperCore: it pays for nothing, and an operator can send it back. Absent if none.',
    ),
  depositTransactions: z
    .array(depositTransactionSchema)
    .optional()
    .describe('Transactions that paid for the job, oldest first. Absent before the payment, and if none is known.'),
  foundTokens: z
    .array(foundTokenSchema)
    .optional()
    .describe(
      'Tokens at the address that the job did not buy: they pay for nothing, and operators can send them back. Absent if none.',
    ),
  namedReturnAddress: z
    .string()
    .optional()
    .describe('Where tokens and change go, if the payer named an address; absent if they go to the wallet that pays.'),
  payerUnknown: z
    .literal(true)
    .optional()
    .describe(
      'Present if the payer is unknown: tokens and change are held until operators release them to an address.',
    ),
  proposedReturnAddress: z
    .string()
    .optional()
    .describe(
      'Address that the holder of the private code proposes for held money. Operators check it and release by a signed command.',
    ),
  chainUnreachableSince: timeSchema
    .optional()
    .describe('Present while no endpoint of the chain answers: since then no block could be read.'),
  flags: z
    .object({
      underpaid: z.boolean().describe('Some money arrived, and less than starts the job.'),
      overpaid: z.boolean().describe('More arrived than was agreed.'),
      late: z.boolean().describe('Money arrived after the deadline.'),
    })
    .describe("Independent of each other and of the status. Source: design § 4 'Amounts'."),
});
export type JobPaymentResponse = z.infer<typeof jobPaymentResponseSchema>;
