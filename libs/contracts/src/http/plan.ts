import { PLAN_WARNINGS } from '@maker/rules';
import { z } from 'zod';
import { addressSchema, timeSchema, weiSchema } from '../primitives.ts';

/** Body of `POST /plan`. Source: design § 4a. */
export const planRequestSchema = z.object({
  tokenAddress: addressSchema,
  /** In HYPE, as the visitor typed it. */
  paymentAmount: z.number().positive(),
});
export type PlanRequestBody = z.infer<typeof planRequestSchema>;

/** Basis points. */
const bpsSchema = z.number().int().nonnegative();

/**
 * What a job will do, as `planJob` says it: in the answer of `POST /plan`, of the job's creation, and of
 * `GET /jobs/{jobId}/status`, where it is the one that holds. Source: design § 4a, rules `Plan`.
 */
export const jobPlanSchema = z.object({
  /** What it was made for: the chosen budget, or after the payment what was counted of it. */
  depositWei: weiSchema,
  feeWei: weiSchema,
  /** What may be spent on orders. */
  orderBudgetWei: weiSchema,
  /** Set aside for gas. */
  reserveWei: weiSchema,
  orders: z.object({
    count: z.number().int().nonnegative(),
    /** Spent by one of them. */
    sizeWei: weiSchema,
    /** Standard orders that one stands for. */
    merged: z.number().int().positive(),
    /** Time between two of them, ms. */
    intervalMs: z.number().nonnegative(),
  }),
  /** Time between two standard orders, ms. */
  slotMs: z.number().positive(),
  startsAt: timeSchema,
  /** Last order, if nothing pauses the job. */
  expectedEndAt: timeSchema,
  /** No order after it. */
  tradingEndsAt: timeSchema,
  /** All is delivered and returned by then, or held with a reason. */
  latestEndAt: timeSchema,
  /** Part of the order budget that the pools take within the band, less gas that comes out of it. */
  spendableWei: weiSchema,
  purchase: z.object({
    /** Exchange that the first order goes to, such as 'hyperswap-v3'. */
    exchange: z.string(),
    /** Price that the band is measured from: wei for one smallest unit of the token, pool fee in it, times 2^96. */
    seenPriceX96: weiSchema,
    /** Smallest units of the token that are to be expected. */
    tokens: weiSchema,
    /** How much dearer than the first unit one order is, and all of them on average. */
    orderImpactBps: bpsSchema,
    impactBps: bpsSchema,
    /** How far the price has risen at the last order. */
    priceRiseBps: bpsSchema,
  }),
  gas: z.object({
    ordersWei: weiSchema,
    /** The fee's transfer, delivery and return. */
    transfersWei: weiSchema,
    fromReserveWei: weiSchema,
    fromBudgetWei: weiSchema,
  }),
  /** Unspent budget and reserve, which go back. */
  returnedWei: weiSchema,
  limits: z.object({
    slippageBps: bpsSchema,
    impactCapBps: bpsSchema,
    bandBps: bpsSchema,
    /** Gas that all jobs together use at most in any minute; absent from plans of an earlier version. */
    minuteGas: z.number().int().nonnegative().optional(),
  }),
  /** What a visitor should know before paying. */
  warnings: z.array(z.enum(PLAN_WARNINGS)),
  /** What the plan takes as given. */
  assumes: z.object({
    /** Base and priority fee together, wei per gas. */
    gasPriceWei: weiSchema,
    /** Block at which the pools were read. */
    block: z.object({ number: z.number().int(), at: timeSchema }),
  }),
  token: z.object({ symbol: z.string(), decimals: z.number().int() }),
});
export type JobPlan = z.infer<typeof jobPlanSchema>;
