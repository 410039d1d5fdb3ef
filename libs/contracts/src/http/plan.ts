import { PLAN_WARNINGS } from '@maker/rules';
import { z } from 'zod';
import { agreedPlanSchema } from '../agreed-plan.ts';
import { addressSchema, priceX96Schema, timeSchema, weiSchema } from '../primitives.ts';

/** Body of `POST /plan`. Source: design § 4a. */
export const planRequestSchema = z.object({
  tokenAddress: addressSchema,
  paymentAmount: z
    .number()
    .positive()
    .meta({ description: 'In HYPE, as the visitor typed it.', examples: [0.5] }),
});
export type PlanRequestBody = z.infer<typeof planRequestSchema>;

/** Basis points. */
const bpsSchema = z.number().int().nonnegative();

/**
 * What a job will do, as `planJob` says it: in the answer of `POST /plan`, of the job's creation, and of
 * `GET /jobs/{jobId}/status`, where it is the one that holds. Source: design § 4a, rules `Plan`.
 */
export const jobPlanSchema = z.object({
  depositWei: weiSchema.describe(
    'What it was made for: the chosen budget, or after the payment what was counted of it.',
  ),
  feeWei: weiSchema,
  orderBudgetWei: weiSchema.describe('What may be spent on orders.'),
  reserveWei: weiSchema.describe('Set aside for gas.'),
  orders: z
    .object({
      count: z.number().int().nonnegative().describe('Number of orders.'),
      sizeWei: weiSchema.describe('Spent by one of them.'),
      merged: z.number().int().positive().describe('Standard orders that one stands for.'),
      intervalMs: z.number().nonnegative().describe('Time between two of them, ms.'),
    })
    .describe('The orders.'),
  slotMs: z.number().positive().describe('Time between two standard orders, ms.'),
  startsAt: timeSchema,
  expectedEndAt: timeSchema.describe('Last order, if nothing pauses the job.'),
  tradingEndsAt: timeSchema.describe('No order after it.'),
  latestEndAt: timeSchema.describe('All is delivered and returned by then, or held with a reason.'),
  spendableWei: weiSchema.describe(
    'Part of the order budget that the pools take within the band, less gas that comes out of it.',
  ),
  tokenTakesWei: weiSchema
    .optional()
    .describe('Present where a trial shows that the token refuses before all of `spendableWei` is spent: about where.'),
  purchase: z
    .object({
      exchange: z.string().describe("Exchange that the first order goes to, such as 'hyperswap-v3'."),
      seenPriceX96: priceX96Schema.describe(
        'Price that the band is measured from: wei for one smallest unit of the token, pool fee in it, times 2^96.',
      ),
      tokens: weiSchema.describe('Smallest units of the token that are to be expected.'),
      orderImpactBps: bpsSchema.describe(
        'How much dearer than the first unit one order is, and all of them on average.',
      ),
      impactBps: bpsSchema.describe('How much dearer than the first unit all orders are on average, in basis points.'),
      priceRiseBps: bpsSchema.describe('How far the price has risen at the last order.'),
    })
    .describe('What the orders buy.'),
  gas: z
    .object({
      ordersWei: weiSchema,
      transfersWei: weiSchema.describe("The fee's transfer, delivery and return."),
      fromReserveWei: weiSchema,
      fromBudgetWei: weiSchema,
    })
    .describe('Gas of all transactions, in parts.'),
  returnedWei: weiSchema.describe('Unspent budget and reserve, which go back.'),
  limits: z
    .object({
      slippageBps: bpsSchema.describe('Slippage in basis points.'),
      impactCapBps: bpsSchema.describe('Most that one order may move the price, in basis points.'),
      bandBps: bpsSchema.describe('Band of prices in which the job trades, in basis points.'),
      minuteGas: agreedPlanSchema.shape.minuteGas,
    })
    .describe('Limits of the trading.'),
  warnings: z.array(z.enum(PLAN_WARNINGS)).describe('What a visitor should know before paying.'),
  assumes: z
    .object({
      gasPriceWei: weiSchema.describe('Base and priority fee together, wei per gas.'),
      block: z
        .object({ number: z.number().int().describe('Number of the block.'), at: timeSchema })
        .describe('Block at which the pools were read.'),
    })
    .describe('What the plan takes as given.'),
  token: z
    .object({
      symbol: z.string().describe('Symbol of the token.'),
      decimals: z.number().int().describe('Decimals of the token.'),
    })
    .describe('The token.'),
});
export type JobPlan = z.infer<typeof jobPlanSchema>;
