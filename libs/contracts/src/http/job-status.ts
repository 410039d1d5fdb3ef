import { z } from 'zod';
import { agreedPlanSchema } from '../agreed-plan.ts';
import { hashSchema, pauseReasonSchema, timeSchema, weiSchema } from '../primitives.ts';
import { jobPaymentResponseSchema } from './job-payment.ts';
import { jobPlanSchema } from './plan.ts';
import { receiptQualitySchema } from './quality.ts';

/** One order as the receipt shows it. Source: design § 2.6. */
export const receiptOrderSchema = z.object({
  /** 1 for the first order of the job. */
  number: z.number().int().positive(),
  status: z.enum(['signed', 'broadcast', 'mined', 'final', 'failed']),
  transactionHash: hashSchema,
  exchange: z.string(),
  /** Spent in the pool. */
  tradeWei: weiSchema,
  /** Paid for gas; 0 until mined. */
  gasWei: weiSchema,
  /** Bought, in the token's smallest unit; 0 until mined or when it failed. */
  tokensBought: weiSchema,
  /** Quoted when it was signed, behind the orders before it, and the least that it accepts. Token units. */
  quotedTokens: weiSchema.optional(),
  minimumTokens: weiSchema.optional(),
  /** What was paid in the pool for the token's smallest unit, wei times 2^96, cut; absent until something was bought. */
  priceX96: weiSchema.optional(),
  /** Price of its pool just before and after it, without the pool's fee, as {@link priceX96}; and what of the trade the fee was. */
  poolPriceBeforeX96: weiSchema.optional(),
  poolPriceAfterX96: weiSchema.optional(),
  poolFeeWei: weiSchema.optional(),
  /** Standard orders that it stands for: more than one where gas was dear. */
  merged: z.number().int().positive().optional(),
  /** Number of the order that was not filled and that this one tries once more. */
  retryOf: z.number().int().positive().optional(),
  /**
   * Why it was not filled. `reverted`: the pool gave less than the minimum, or the token refused; `expired`: it came into a block
   * too late; `withdrawn`: it was given up at its nonce.
   */
  failure: z.enum(['reverted', 'expired', 'withdrawn']).optional(),
  placedAt: timeSchema,
  blockNumber: z.number().int().optional(),
  minedAt: timeSchema.optional(),
});
export type ReceiptOrder = z.infer<typeof receiptOrderSchema>;

/** A transaction of the receipt that is no order. */
export const receiptTransferSchema = z.object({
  kind: z.enum(['fee', 'delivery', 'return']),
  status: z.enum(['signed', 'broadcast', 'mined', 'final', 'failed']),
  transactionHash: hashSchema,
  to: z.string(),
  /** HYPE for fee and return, token units for delivery. */
  amount: weiSchema,
  gasWei: weiSchema,
});
export type ReceiptTransfer = z.infer<typeof receiptTransferSchema>;

/** A time in which a job placed no order. */
export const receiptPauseSchema = z.object({
  reason: pauseReasonSchema,
  since: timeSchema,
  /** Absent while it lasts. */
  until: timeSchema.optional(),
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
  /** Orders the schedule plans, and the range that the visitor was shown. */
  plannedOrders: z.number().int(),
  estimate: z.object({ lower: z.number().int(), upper: z.number().int() }),
  /** Mined successfully. */
  ordersPlaced: z.number().int(),
  ordersFailed: z.number().int(),
  /** Traded in pools by mined orders. */
  tradedWei: weiSchema,
  /** Gas of every transaction of the job. */
  gasWei: weiSchema,
  tokensBought: weiSchema,
  token: z.object({ address: z.string(), symbol: z.string(), decimals: z.number().int() }),
  intervalSeconds: z.number(),
  nextOrderAt: timeSchema.optional(),
  paused: z.object({ reason: pauseReasonSchema, since: timeSchema }).optional(),
  deliveredTokens: weiSchema,
  returnedWei: weiSchema,
  /** Left in the job's wallet or held for an operator, with the reason. */
  heldWei: weiSchema,
  /** Bought and not delivered: left in the job's wallet or held, in the token's smallest unit. */
  heldTokens: weiSchema.optional(),
  heldReason: z.string().optional(),
  returnAddress: z.string().optional(),
  /** The fee, and the newest of the others: see {@link MOST_RECEIPT_TRANSFERS}. */
  transfers: z.array(receiptTransferSchema),
  /** How many there were in all. */
  transfersInAll: z.number().int().nonnegative().optional(),
  /** The plan by which the job trades, and how long an order is valid. */
  rules: agreedPlanSchema.extend({ orderLifeSeconds: z.number().int().positive() }).optional(),
  /** See {@link MOST_RECEIPT_PAUSES}. */
  pauses: z.array(receiptPauseSchema).max(MOST_RECEIPT_PAUSES).optional(),
  /** How many there were in all. */
  pausesInAll: z.number().int().nonnegative().optional(),
  /** Standard orders that the placed ones stand for: where it is more than their number, dear gas merged neighbours. */
  standardOrders: z.number().int().nonnegative().optional(),
  /** How well it bought so far, by orders that are final; absent before the first. */
  quality: receiptQualitySchema.optional(),
  /** How trading ended. */
  ending: z
    .object({ kind: z.enum(['completed', 'liquidity', 'technical', 'cancelled']), message: z.string() })
    .optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** A refund: what becomes of money that pays for no order: under, late, a second time, after the end. Source: design § 4 'Amounts'. */
export const jobRefundSchema = z.object({
  /** As it arrived; what reaches the recipient is less by the gas of the transfer. */
  amountWei: weiSchema,
  /** `due`: on its way. `held`: for an operator, with `reason`. */
  status: z.enum(['due', 'returned', 'held']),
  to: z.string().optional(),
  reason: z.string().optional(),
  returnedWei: weiSchema.optional(),
  transactionHash: hashSchema.optional(),
});
export type JobRefund = z.infer<typeof jobRefundSchema>;

/** Answer of `GET /jobs/{jobId}/status`: payment, job and, once money arrived, the receipt. */
export const jobStatusResponseSchema = jobPaymentResponseSchema.extend({
  tokenAddress: z.string(),
  createdAt: timeSchema,
  activatedAt: timeSchema.optional(),
  endedAt: timeSchema.optional(),
  failureReason: z.string().optional(),
  /** What holds: made anew for what was paid when the job turns active. Absent for jobs that are older than plans. */
  plan: jobPlanSchema.optional(),
  /** When the payer asked for its end: present from then on. */
  stopRequestedAt: timeSchema.optional(),
  /** Present where money arrived that pays for no order; the newest 200 of them. */
  returns: z.array(jobRefundSchema).optional(),
  receipt: receiptSchema.optional(),
  /** Present when maker-executor did not answer in time: there may be a receipt that is not shown now. */
  receiptUnavailable: z.literal(true).optional(),
});
export type JobStatusResponse = z.infer<typeof jobStatusResponseSchema>;

/** Query of `GET /jobs/{jobId}/orders`: the page after an order number. */
export const jobOrdersQuerySchema = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type JobOrdersQuery = z.infer<typeof jobOrdersQuerySchema>;

/** Answer of `GET /jobs/{jobId}/orders`, by ascending number. */
export const jobOrdersResponseSchema = z.object({ orders: z.array(receiptOrderSchema) });
export type JobOrdersResponse = z.infer<typeof jobOrdersResponseSchema>;
