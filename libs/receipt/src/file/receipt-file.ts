import { z } from 'zod';
import { address, hash, signature, text, time } from './fields.ts';
import { serviceClaimSchema } from './service-claim.ts';

/** Amounts are decimal strings of wei, or of the token's smallest unit, in the one way to write them. */
const amount = z.string().regex(/^(0|[1-9]\d*)$/, 'must be a whole number as a decimal string');
const count = z.int().nonnegative();

/** Money that came to the wallet. */
const depositSchema = z.strictObject({
  /** `transfer`: its transaction pays the wallet directly. Else the chain keeps no trace that names amount and sender. */
  kind: z.enum(['transfer', 'untraced']),
  transactionHash: hash.nullable(),
  blockNumber: count.nullable(),
  /** Sender of a transfer. */
  from: address.nullable(),
  amountWei: amount,
  /** Whether the job was paid with it; else it goes back. */
  pays: z.boolean(),
});
export type Deposit = z.infer<typeof depositSchema>;

/** A purchase, as it was decided and as it went. Source: design § 2.6. */
const orderSchema = z.strictObject({
  /** 1 for the first order of the job. */
  number: z.int().positive(),
  /** `reverted`: cost gas and did nothing. `voided`: its nonce was used up by a transaction that does nothing. */
  result: z.enum(['filled', 'reverted', 'voided']),
  /** Name of its exchange in the service's registry; its router says which it is. */
  venue: text,
  nonce: count,
  transactionHash: hash,
  blockNumber: count,
  /** Time of its block. */
  minedAt: time,
  /** To be spent in the pool. */
  tradeWei: amount,
  quotedTokens: amount,
  /** Less than this reverts. */
  minimumTokens: amount,
  receivedTokens: amount,
  /** What was paid for the smallest unit, wei times 2^96, cut; null where nothing was received. */
  priceX96: amount.nullable(),
  gasWei: amount,
});
export type SignedOrder = z.infer<typeof orderSchema>;

/** A transaction of the wallet that is no purchase. */
const transferSchema = z.strictObject({
  /** `refund`: gives back money that pays for no job. */
  kind: z.enum(['fee', 'delivery', 'return', 'refund']),
  succeeded: z.boolean(),
  nonce: count,
  transactionHash: hash,
  blockNumber: count,
  /** Who gets the money or, by a delivery, the tokens. */
  to: address,
  /** HYPE in wei; tokens of a delivery. 0 where it failed. */
  amount,
  gasWei: amount,
});
export type SignedTransfer = z.infer<typeof transferSchema>;

const pauseSchema = z.strictObject({ reason: text, from: time, to: time.nullable() });
export type SignedPause = z.infer<typeof pauseSchema>;

/** The plan that the service says it published before payment, and the version of the rules that bind it. Source: design §§ 2 and 4a. */
const rulesSchema = z.strictObject({
  /** Of the rules: fee, guardrail, longest life of an order, widest limits. The verifier has them in its own build. */
  version: count,
  feePercent: count,
  /** What the job was paid with: budget and fee are made from it. */
  paidWei: amount,
  /** Time between two standard orders. */
  slotMs: z.number().positive(),
  /** Null for a job that was activated before plans were. */
  tradingEndsAt: time.nullable(),
  latestEndAt: time.nullable(),
  /** Price that the payer saw, wei for the smallest unit times 2^96; null: the first order's quote stands for it. */
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

/** All of a receipt but its orders, which may be many. */
const receiptHeadSchema = z.strictObject({
  format: z.literal('maker-receipt-2'),
  /** `interim`: asked for before the job's end. */
  state: z.enum(['interim', 'final']),
  jobId: text,
  chainId: z.int().positive(),
  /** Block of the newest transaction that the receipt tells of; null before the first. */
  asOf: z.strictObject({ blockNumber: count, blockHash: hash, at: time }).nullable(),
  wallet: address,
  token: z.strictObject({ address, symbol: text, decimals: z.int().min(0).max(255) }),
  /** Whose own transfers paid; null where nobody's alone did. */
  payer: address.nullable(),
  /** Where tokens and unspent HYPE go; null: nowhere yet. */
  returnAddress: address.nullable(),
  rules: rulesSchema,
  deposits: z.array(depositSchema),
  transfers: z.array(transferSchema),
  pauses: z.array(pauseSchema),
  ending: z.strictObject({ kind: text, message: text, at: time }).nullable(),
  /** When an operator last released what was held; null: nothing ever was. */
  releasedAt: time.nullable(),
  /** Why something stays in the wallet. */
  heldReason: text.nullable(),
  sums: sumsSchema,
  /** Whose job it was; null where the service signs for none. */
  service: serviceClaimSchema.nullable(),
});
export type ReceiptHead = z.infer<typeof receiptHeadSchema>;

export const signedReceiptSchema = receiptHeadSchema.extend({ orders: z.array(orderSchema) });
export type SignedReceipt = z.infer<typeof signedReceiptSchema>;

/** Content of a receipt file. Source: design § 2.6, docs/receipt.md. */
export const receiptFileSchema = z.strictObject({
  receipt: signedReceiptSchema,
  /** Of the job's wallet, 65 bytes in lower case; see `receiptTypedData`. */
  signature,
});
export type ReceiptFile = z.infer<typeof receiptFileSchema>;
