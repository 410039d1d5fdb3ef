import { z } from 'zod';
import { agreedPlanSchema } from '../agreed-plan.ts';
import { jobMetadataSchema } from '../job-metadata.ts';
import { hashSchema, pauseReasonSchema, priceX96Schema, timeSchema, weiSchema } from '../primitives.ts';
import { jobPaymentResponseSchema } from './job-payment.ts';
import { jobPlanSchema } from './plan.ts';
import { receiptQualitySchema } from './quality.ts';

/** One order as the receipt shows it. Source: design § 2.6. */
export const receiptOrderSchema = z.object({
  number: z.number().int().positive().describe('1 for the first order of the job.'),
  status: z.enum(['signed', 'broadcast', 'mined', 'final', 'failed']).describe('Status.'),
  transactionHash: hashSchema,
  exchange: z.string().describe('Exchange that the order went to.'),
  tradeWei: weiSchema.describe('Spent in the pool.'),
  gasWei: weiSchema.describe('Paid for gas; 0 until mined.'),
  tokensBought: weiSchema.describe("Bought, in the token's smallest unit; 0 until mined or when it failed."),
  quotedTokens: weiSchema
    .optional()
    .describe('Quoted when it was signed, behind the orders before it, and the least that it accepts. Token units.'),
  minimumTokens: weiSchema.optional(),
  priceX96: priceX96Schema
    .optional()
    .describe(
      "What was paid in the pool for the token's smallest unit, wei times 2^96, cut; absent until something was bought.",
    ),
  poolPriceBeforeX96: priceX96Schema
    .optional()
    .describe(
      "Price of its pool just before and after it, without the pool's fee, as `priceX96`; and what of the trade the fee was.",
    ),
  poolPriceAfterX96: priceX96Schema.optional(),
  poolFeeWei: weiSchema.optional(),
  merged: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Standard orders that it stands for: more than one where gas was dear.'),
  retryOf: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Number of the order that was not filled and that this one tries once more.'),
  failure: z
    .enum(['reverted', 'expired', 'withdrawn'])
    .optional()
    .describe(
      'Why it was not filled. `reverted`: the pool gave less than the minimum, or the token refused; `expired`: it came into a block too late; `withdrawn`: it was given up at its nonce.',
    ),
  placedAt: timeSchema,
  blockNumber: z.number().int().optional().describe('Number of the block.'),
  minedAt: timeSchema.optional(),
});
export type ReceiptOrder = z.infer<typeof receiptOrderSchema>;

/** A transaction of the receipt that is no order. */
export const receiptTransferSchema = z.object({
  kind: z.enum(['fee', 'delivery', 'return']).describe('What the transfer is for.'),
  status: z.enum(['signed', 'broadcast', 'mined', 'final', 'failed']).describe('Status.'),
  transactionHash: hashSchema,
  to: z.string().describe('Recipient.'),
  amount: weiSchema.describe('HYPE for fee and return, token units for delivery.'),
  gasWei: weiSchema,
});
export type ReceiptTransfer = z.infer<typeof receiptTransferSchema>;

/** A time in which a job placed no order. */
export const receiptPauseSchema = z.object({
  reason: pauseReasonSchema,
  since: timeSchema,
  until: timeSchema.optional().describe('Absent while it lasts.'),
});
export type ReceiptPause = z.infer<typeof receiptPauseSchema>;

/** Pauses that a receipt lists: the newest ones, oldest first. */
export const MOST_RECEIPT_PAUSES = 200;

/** Transfers that a receipt tells of: each deposit of a stranger that goes back is one. */
export const MOST_RECEIPT_TRANSFERS = 300;

/** What the maker did so far for a job. Source: design § 2.6. */
export const receiptSchema = z.object({
  depositWei: weiSchema,
  feeWei: weiSchema,
  orderBudgetWei: weiSchema,
  plannedOrders: z.number().int().describe('Orders the schedule plans, and the range that the visitor was shown.'),
  estimate: z
    .object({ lower: z.number().int().describe('Lower bound.'), upper: z.number().int().describe('Upper bound.') })
    .describe('Range of orders that the visitor was shown.'),
  ordersPlaced: z.number().int().describe('Mined successfully.'),
  ordersFailed: z.number().int().describe('Orders that were mined and bought nothing.'),
  tradedWei: weiSchema.describe('Traded in pools by mined orders.'),
  gasWei: weiSchema.describe('Gas of every transaction of the job.'),
  tokensBought: weiSchema,
  token: z
    .object({
      address: z.string().describe('Address of the token.'),
      symbol: z.string().describe('Symbol of the token.'),
      decimals: z.number().int().describe('Decimals of the token.'),
    })
    .describe('The token.'),
  intervalSeconds: z.number().describe('Time between two orders, s.'),
  nextOrderAt: timeSchema.optional(),
  paused: z
    .object({ reason: pauseReasonSchema, since: timeSchema })
    .optional()
    .describe('Present while the job waits.'),
  deliveredTokens: weiSchema,
  returnedWei: weiSchema,
  heldWei: weiSchema.describe("Left in the job's wallet or held for an operator, with the reason."),
  heldTokens: weiSchema
    .optional()
    .describe("Bought and not delivered: left in the job's wallet or held, in the token's smallest unit."),
  heldReason: z.string().optional().describe('Why money is held, in a sentence.'),
  returnAddress: z.string().optional().describe('Address for tokens and change.'),
  transfers: z
    .array(receiptTransferSchema)
    .describe('The fee, and the newest of the others: see `MOST_RECEIPT_TRANSFERS`.'),
  transfersInAll: z.number().int().nonnegative().optional().describe('How many there were in all.'),
  rules: agreedPlanSchema
    .extend({ orderLifeSeconds: z.number().int().positive().describe('How long an order is valid, s.') })
    .optional()
    .describe('The plan by which the job trades, and how long an order is valid.'),
  pauses: z.array(receiptPauseSchema).max(MOST_RECEIPT_PAUSES).optional().describe('See `MOST_RECEIPT_PAUSES`.'),
  pausesInAll: z.number().int().nonnegative().optional().describe('How many there were in all.'),
  standardOrders: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe(
      'Standard orders that the placed ones stand for: where it is more than their number, dear gas merged neighbours.',
    ),
  quality: receiptQualitySchema
    .optional()
    .describe('How well it bought so far, by orders that are final; absent before the first.'),
  ending: z
    .object({
      kind: z.enum(['completed', 'liquidity', 'technical', 'cancelled']).describe('Kind of the ending.'),
      message: z.string().describe('A sentence for people.'),
    })
    .optional()
    .describe('How trading ended.'),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** A refund: what becomes of money that pays for no order: under, late, a second time, after the end. Source: design § 4 'Amounts'. */
export const jobRefundSchema = z.object({
  amountWei: weiSchema.describe('As it arrived; what reaches the recipient is less by the gas of the transfer.'),
  status: z.enum(['due', 'returned', 'held']).describe('`due`: on its way. `held`: for an operator, with `reason`.'),
  to: z.string().optional().describe('Recipient.'),
  reason: z.string().optional().describe('Reason, in a sentence.'),
  returnedWei: weiSchema.optional(),
  transactionHash: hashSchema.optional(),
});
export type JobRefund = z.infer<typeof jobRefundSchema>;

/** Answer of `GET /jobs/{jobId}/status`: payment, job and, once money arrived, the receipt. */
export const jobStatusResponseSchema = jobPaymentResponseSchema.extend({
  tokenAddress: z.string().describe('Address of the token.'),
  createdAt: timeSchema,
  activatedAt: timeSchema.optional(),
  endedAt: timeSchema.optional(),
  failureReason: z.string().optional().describe('Why the job failed, in a sentence.'),
  plan: jobPlanSchema.optional().describe('What holds: made anew for what was paid when the job turns active.'),
  metadata: jobMetadataSchema.optional(),
  stopRequestedAt: timeSchema.optional().describe('When the payer asked for its end: present from then on.'),
  returns: z
    .array(jobRefundSchema)
    .optional()
    .describe('Present where money arrived that pays for no order; the newest 200 of them.'),
  receipt: receiptSchema.optional().describe('What was bought, spent and returned so far.'),
  receiptUnavailable: z
    .literal(true)
    .optional()
    .describe('Present when maker-executor did not answer in time: there may be a receipt that is not shown now.'),
});
export type JobStatusResponse = z.infer<typeof jobStatusResponseSchema>;

/** Query of `GET /jobs/{jobId}/orders`: the page after an order number. */
export const jobOrdersQuerySchema = z.object({
  after: z.coerce.number().int().nonnegative().default(0).describe('Last number or id that you have.'),
  limit: z.coerce.number().int().min(1).max(500).default(100).describe('Most entries of the page.'),
});
export type JobOrdersQuery = z.infer<typeof jobOrdersQuerySchema>;

/** Answer of `GET /jobs/{jobId}/orders`, by ascending number. */
export const jobOrdersResponseSchema = z.object({ orders: z.array(receiptOrderSchema).describe('The orders.') });
export type JobOrdersResponse = z.infer<typeof jobOrdersResponseSchema>;
