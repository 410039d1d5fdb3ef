import { signedTermsSchema } from '@maker/contracts';
import { z } from 'zod';
import { address, hash, signature, text, time } from './fields.ts';

/** A decimal string of wei or of the token's smallest unit, with one spelling for each amount. */
const amount = z.string().regex(/^(0|[1-9]\d*)$/, 'must be a whole number as a decimal string');
const count = z.int().nonnegative();

/** Money that came to the wallet. */
const depositSchema = z.strictObject({
  /** `transfer`: its transaction pays the wallet directly. `untraced`: no transaction on the chain names amount and sender. */
  kind: z.enum(['transfer', 'untraced']),
  transactionHash: hash.nullable(),
  blockNumber: count.nullable(),
  /** Sender of a transfer. */
  from: address.nullable(),
  amountWei: amount,
  /** Whether it pays for the job; otherwise it is refunded. */
  pays: z.boolean(),
});
export type Deposit = z.infer<typeof depositSchema>;

/** A purchase: its decision and its result. Source: design § 2.6. */
const orderSchema = z.strictObject({
  /** 1 for the first order of the job. */
  number: z.int().positive(),
  /** `reverted`: it cost gas and had no effect. `voided`: a transaction without effect used up its nonce. */
  result: z.enum(['filled', 'reverted', 'voided']),
  /** Name of its exchange in the service's registry; the router in its call identifies the exchange. */
  venue: text,
  nonce: count,
  transactionHash: hash,
  blockNumber: count,
  /** Time of its block. */
  minedAt: time,
  /** HYPE for the pool. */
  tradeWei: amount,
  quotedTokens: amount,
  /** The order reverts if it brings less. */
  minimumTokens: amount,
  receivedTokens: amount,
  /** Price of the smallest unit, wei times 2^96, rounded down; null if nothing was received. */
  priceX96: amount.nullable(),
  gasWei: amount,
});
export type SignedOrder = z.infer<typeof orderSchema>;

/** A transaction of the wallet other than a purchase. */
const transferSchema = z.strictObject({
  /** `refund`: returns a deposit that pays for no order. */
  kind: z.enum(['fee', 'delivery', 'return', 'refund']),
  succeeded: z.boolean(),
  nonce: count,
  transactionHash: hash,
  blockNumber: count,
  /** Recipient of the HYPE or, in a delivery, of the tokens. */
  to: address,
  /** HYPE in wei; in a delivery, tokens. 0 if it failed. */
  amount,
  gasWei: amount,
});
export type SignedTransfer = z.infer<typeof transferSchema>;

const pauseSchema = z.strictObject({ reason: text, from: time, to: time.nullable() });
export type SignedPause = z.infer<typeof pauseSchema>;

/** The plan that the service claims to have published before payment, and the version of its rules. Source: design §§ 2 and 4a. */
const rulesSchema = z.strictObject({
  /** Version of the rules: fee, guardrail, longest life of an order, widest limits. The verifier has them in its own build. */
  version: count,
  feePercent: count,
  /** The payment; budget and fee follow from it. */
  paidWei: amount,
  /** Time between two standard orders. */
  slotMs: z.number().positive(),
  /** Null for a job that was activated before plans existed. */
  tradingEndsAt: time.nullable(),
  latestEndAt: time.nullable(),
  /** Price that the payer saw, wei for the smallest unit times 2^96; null: the first order's quote replaces it. */
  seenPriceX96: amount.nullable(),
  bandBps: count,
  slippageBps: count,
});
export type PublishedRules = z.infer<typeof rulesSchema>;

const sumsSchema = z.strictObject({
  depositsWei: amount,
  feeWei: amount,
  tradedWei: amount,
  gasWei: amount,
  returnedWei: amount,
  refundedWei: amount,
  /** Still in the wallet. */
  leftWei: amount,
  boughtTokens: amount,
  deliveredTokens: amount,
  ordersFilled: count,
  ordersReverted: count,
  ordersVoided: count,
});
export type Sums = z.infer<typeof sumsSchema>;

/** A receipt without its orders, which may be many. */
const receiptHeadSchema = z.strictObject({
  format: z.literal('maker-receipt-2'),
  /** `interim`: made before the job's end. */
  state: z.enum(['interim', 'final']),
  jobId: text,
  chainId: z.int().positive(),
  /** Block of the newest transaction in the receipt; null before the first. */
  asOf: z.strictObject({ blockNumber: count, blockHash: hash, at: time }).nullable(),
  wallet: address,
  token: z.strictObject({ address, symbol: text, decimals: z.int().min(0).max(255) }),
  /** The sender of all deposits that pay for the job; null if there is no single sender. */
  payer: address.nullable(),
  /** Recipient of tokens and unspent HYPE; null: not known yet. */
  returnAddress: address.nullable(),
  rules: rulesSchema,
  deposits: z.array(depositSchema),
  transfers: z.array(transferSchema),
  pauses: z.array(pauseSchema),
  ending: z.strictObject({ kind: text, message: text, at: time }).nullable(),
  /** When an operator last released held money; null: never. */
  releasedAt: time.nullable(),
  /** Why HYPE or tokens stay in the wallet. */
  heldReason: text.nullable(),
  sums: sumsSchema,
  /** The agreement with its amendments, as the job service signed them; null or absent: nothing was agreed before the payment. */
  agreement: signedTermsSchema.nullish(),
  /** Empty in receipts of earlier builds. */
  service: z.null().optional(),
});
export type ReceiptHead = z.infer<typeof receiptHeadSchema>;

export const signedReceiptSchema = receiptHeadSchema.extend({ orders: z.array(orderSchema) });
export type SignedReceipt = z.infer<typeof signedReceiptSchema>;

/** Content of a receipt file. Source: design § 2.6, docs/receipt.md. */
export const receiptFileSchema = z.strictObject({
  receipt: signedReceiptSchema,
  /** Signature of the job's wallet, 65 bytes in lower case; see `receiptTypedData`. */
  signature,
});
export type ReceiptFile = z.infer<typeof receiptFileSchema>;
