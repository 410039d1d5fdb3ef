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
  exchange: z.string().describe('Exchange of the order.'),
  tradeWei: weiSchema.describe('Spent in the pool.'),
  gasWei: weiSchema.describe('Paid for gas; 0 until mined.'),
  tokensBought: weiSchema.describe(
    'Bought, in the smallest unit of the token; 0 until mined, and if the order failed.',
  ),
  quotedTokens: weiSchema
    .optional()
    .describe('Quote at signing, after the orders before it, in the smallest unit of the token.'),
  minimumTokens: weiSchema.optional().describe('Least that the order accepts, in the smallest unit of the token.'),
  priceX96: priceX96Schema
    .optional()
    .describe(
      'Price paid in the pool: wei for the smallest unit of the token, times 2^96, rounded down. Absent until tokens were bought.',
    ),
  poolPriceBeforeX96: priceX96Schema
    .optional()
    .describe('Price of the pool just before the order, without the pool fee, in the unit of `priceX96`.'),
  poolPriceAfterX96: priceX96Schema.optional().describe('Price of the pool just after the order, likewise.'),
  poolFeeWei: weiSchema.optional().describe('Part of the trade that the pool took as its fee.'),
  merged: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Number of standard orders that it replaces: more than 1 if gas was expensive.'),
  retryOf: z.number().int().positive().optional().describe('Number of the unfilled order that this order retries.'),
  failure: z
    .enum(['reverted', 'expired', 'withdrawn'])
    .optional()
    .describe(
      'Why the order was not filled. `reverted`: the pool gave less than the minimum, or the token refused; `expired`: mined after its time limit; `withdrawn`: the service replaced it by an empty transaction.',
    ),
  placedAt: timeSchema,
  blockNumber: z.number().int().optional().describe('Number of the block.'),
  minedAt: timeSchema.optional(),
});
export type ReceiptOrder = z.infer<typeof receiptOrderSchema>;

/** A transaction of the receipt that is not an order. */
export const receiptTransferSchema = z.object({
  kind: z.enum(['fee', 'delivery', 'return']).describe('What the transfer is for.'),
  status: z.enum(['signed', 'broadcast', 'mined', 'final', 'failed']).describe('Status.'),
  transactionHash: hashSchema,
  to: z.string().describe('Recipient of the HYPE, or of the delivered tokens.'),
  amount: weiSchema.describe('Wei for fee and return, smallest units of the token for delivery.'),
  gasWei: weiSchema,
  blockNumber: z.number().int().optional().describe('Number of the block.'),
  minedAt: timeSchema.optional(),
});
export type ReceiptTransfer = z.infer<typeof receiptTransferSchema>;

/** A period in which a job placed no order. */
export const receiptPauseSchema = z.object({
  reason: pauseReasonSchema,
  since: timeSchema,
  until: timeSchema.optional().describe('Absent while the pause lasts.'),
});
export type ReceiptPause = z.infer<typeof receiptPauseSchema>;

/** Most pauses in a receipt: it lists the newest, oldest first. */
export const MOST_RECEIPT_PAUSES = 200;

/** Most transfers in a receipt: each refunded deposit of a stranger adds one. */
export const MOST_RECEIPT_TRANSFERS = 300;

/** Orders and transfers of a job so far. Source: design § 2.6. */
export const receiptSchema = z.object({
  depositWei: weiSchema,
  feeWei: weiSchema,
  orderBudgetWei: weiSchema,
  plannedOrders: z.number().int().describe('Orders that the schedule plans.'),
  estimate: z
    .object({ lower: z.number().int().describe('Lower bound.'), upper: z.number().int().describe('Upper bound.') })
    .describe('Range of orders that the visitor saw.'),
  ordersPlaced: z.number().int().describe('Orders that were mined successfully.'),
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
  heldWei: weiSchema.describe("Left in the job's wallet, or held for an operator with a reason."),
  heldTokens: weiSchema
    .optional()
    .describe('Bought and not delivered: left in the wallet of the job or held. In the smallest unit of the token.'),
  heldReason: z.string().optional().describe('Why money is held, in a sentence.'),
  returnAddress: z.string().optional().describe('Address for tokens and change.'),
  transfers: z
    .array(receiptTransferSchema)
    .describe(`The fee and the newest other transfers, ${MOST_RECEIPT_TRANSFERS} at most.`),
  transfersInAll: z.number().int().nonnegative().optional().describe('Number of all transfers.'),
  rules: agreedPlanSchema
    .extend({ orderLifeSeconds: z.number().int().positive().describe('How long an order is valid, s.') })
    .optional()
    .describe('The plan by which the job trades, and how long an order is valid.'),
  pauses: z.array(receiptPauseSchema).max(MOST_RECEIPT_PAUSES).optional().describe('The newest pauses, oldest first.'),
  pausesInAll: z.number().int().nonnegative().optional().describe('Number of all pauses.'),
  standardOrders: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe(
      'Standard orders that the placed orders replace. More than `ordersPlaced` if expensive gas merged orders.',
    ),
  quality: receiptQualitySchema
    .optional()
    .describe('Execution quality so far, by final orders; absent before the first.'),
  ending: z
    .object({
      kind: z.enum(['completed', 'liquidity', 'technical', 'cancelled']).describe('Kind of the ending.'),
      message: z.string().describe('A sentence for people.'),
    })
    .optional()
    .describe('How trading ended.'),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** A refund of money that pays for no order: too little, late, a second payment, after the end. Source: design § 4 'Amounts'. */
export const jobRefundSchema = z.object({
  amountWei: weiSchema.describe('Amount that arrived. The recipient gets it less the gas of the transfer.'),
  status: z.enum(['due', 'returned', 'held']).describe('`due`: on the way. `held`: for an operator, with `reason`.'),
  to: z.string().optional().describe('Recipient.'),
  reason: z.string().optional().describe('Reason, in a sentence.'),
  returnedWei: weiSchema.optional(),
  transactionHash: hashSchema.optional(),
});
export type JobRefund = z.infer<typeof jobRefundSchema>;

/** Answer of `GET /jobs/{jobId}/status`: payment, job and, after the payment, the receipt. */
export const jobStatusResponseSchema = jobPaymentResponseSchema.extend({
  tokenAddress: z.string().describe('Address of the token.'),
  createdAt: timeSchema,
  activatedAt: timeSchema.optional(),
  endedAt: timeSchema.optional(),
  failureReason: z.string().optional().describe('Why the job failed, in a sentence.'),
  plan: jobPlanSchema
    .optional()
    .describe('The valid plan. Activation calculates it again for the amount that was paid.'),
  metadata: jobMetadataSchema.optional(),
  stopRequestedAt: timeSchema.optional().describe('When the payer stopped the job; absent before.'),
  returns: z
    .array(jobRefundSchema)
    .optional()
    .describe('Refunds of money that pays for no order, the newest 200; absent if there are none.'),
  receipt: receiptSchema.optional().describe('Tokens bought and HYPE spent and returned so far.'),
  receiptUnavailable: z
    .literal(true)
    .optional()
    .describe('Present if the receipt could not be read in time: a receipt may exist that this answer lacks.'),
});
export type JobStatusResponse = z.infer<typeof jobStatusResponseSchema>;

/** Query of `GET /jobs/{jobId}/orders`: the page after an order number. */
export const jobOrdersQuerySchema = z.object({
  after: z.coerce.number().int().nonnegative().default(0).describe('Number of the last order that you have.'),
  limit: z.coerce.number().int().min(1).max(500).default(100).describe('Most entries of the page.'),
});
export type JobOrdersQuery = z.infer<typeof jobOrdersQuerySchema>;

/** Answer of `GET /jobs/{jobId}/orders`, in ascending order of numbers. */
export const jobOrdersResponseSchema = z.object({ orders: z.array(receiptOrderSchema).describe('The orders.') });
export type JobOrdersResponse = z.infer<typeof jobOrdersResponseSchema>;
