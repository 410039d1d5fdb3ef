import { z } from 'zod';
import { foundTokenSchema, jobIdSchema, jobStatusSchema, timeSchema, weiSchema } from '../primitives.ts';

/** Answer of `GET /jobs/{jobId}/payment`. Source: specification § 3 (status, paymentReceived); the rest for the payment step. */
export const jobPaymentResponseSchema = z.object({
  jobId: jobIdSchema,
  status: jobStatusSchema,
  paymentReceived: z.boolean().describe('Whether enough money arrived in time.'),
  paymentAddress: z.string().describe('Wallet of the job, to which the payer sends HYPE.'),
  paymentAmount: z.number().describe('In HYPE.'),
  paymentAmountWei: weiSchema,
  paymentDeadline: timeSchema,
  waitingWei: weiSchema
    .optional()
    .describe('Present where money was seen in a block and is not credited yet: it waits for its confirmation.'),
  receivedWei: weiSchema.describe('Credited before the deadline so far.'),
  lateWei: weiSchema.describe('Credited after the deadline so far.'),
  droppedWei: weiSchema
    .optional()
    .describe(
      'Present where money was credited whose block has left the chain since: it counts no longer, unless it is mined again.',
    ),
  hyperCoreWei: weiSchema
    .optional()
    .describe(
      'Present where the last look at HyperCore found HYPE at the address there: it pays for nothing, until an operator sends it back.',
    ),
  depositTransactions: z
    .array(
      z.object({
        transactionHash: z.string().describe('Hash as in `payment.received`: as a node reported it.'),
        amountWei: weiSchema,
      }),
    )
    .optional()
    .describe(
      'Transactions that paid for the job, the oldest first; absent before the payment, and where none is known.',
    ),
  foundTokens: z
    .array(foundTokenSchema)
    .optional()
    .describe(
      'Present where the last search found tokens at the address that the job did not buy: they pay for nothing, until operators send them back.',
    ),
  namedReturnAddress: z
    .string()
    .optional()
    .describe('Where tokens and change go, as the payer named it; absent where they go to the wallet that pays.'),
  payerUnknown: z
    .literal(true)
    .optional()
    .describe(
      'Present where nobody can be named who paid: tokens and change are held, until operators release them to an address.',
    ),
  proposedReturnAddress: z
    .string()
    .optional()
    .describe(
      'Where the holder of the private link asks held money to go; operators check it, and release by a signed command.',
    ),
  flags: z
    .object({
      underpaid: z.boolean().describe('Less arrived than was agreed.'),
      overpaid: z.boolean().describe('More arrived than was agreed.'),
      late: z.boolean().describe('Money arrived after the deadline.'),
    })
    .describe("Independent of each other and of the status. Source: design § 4 'Amounts'."),
});
export type JobPaymentResponse = z.infer<typeof jobPaymentResponseSchema>;
