import { z } from 'zod';
import { jobIdSchema, jobStatusSchema, timeSchema, weiSchema } from '../primitives.ts';

/** Answer of `GET /jobs/{jobId}/payment`. Source: specification § 3 (status, paymentReceived); the rest for the payment step. */
export const jobPaymentResponseSchema = z.object({
  jobId: jobIdSchema,
  status: jobStatusSchema,
  paymentReceived: z.boolean(),
  paymentAddress: z.string(),
  /** In HYPE. */
  paymentAmount: z.number(),
  paymentAmountWei: weiSchema,
  paymentDeadline: timeSchema,
  /** Present where money was seen in a block and is not credited yet: it waits for its confirmation. */
  waitingWei: weiSchema.optional(),
  /** Credited before the deadline so far. */
  receivedWei: weiSchema,
  /** Credited after the deadline so far. */
  lateWei: weiSchema,
  /** Present where money was credited whose block has left the chain since: it counts no longer, unless it is mined again. */
  droppedWei: weiSchema.optional(),
  /** Present where the last look at HyperCore found HYPE at the address there: it pays for nothing, until an operator sends it back. */
  hyperCoreWei: weiSchema.optional(),
  /** Where tokens and change go, as the payer named it; absent where they go to the wallet that pays. */
  namedReturnAddress: z.string().optional(),
  /** Present where nobody can be named who paid: tokens and change are held, until operators release them to an address. */
  payerUnknown: z.literal(true).optional(),
  /** Where the holder of the private link asks held money to go; operators check it, and release by a signed command. */
  proposedReturnAddress: z.string().optional(),
  /** Independent of each other and of the status. Source: design § 4 'Amounts'. */
  flags: z.object({ underpaid: z.boolean(), overpaid: z.boolean(), late: z.boolean() }),
});
export type JobPaymentResponse = z.infer<typeof jobPaymentResponseSchema>;
