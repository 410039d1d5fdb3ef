import { PLAN_WARNINGS } from '@maker/rules';
import { z } from 'zod';
import { agreedPlanSchema } from '../agreed-plan.ts';
import { addressSchema, hypeAmountSchema, priceX96Schema, timeSchema, weiSchema } from '../primitives.ts';

/** Body of `POST /plan`. Source: design § 4a. */
export const planRequestSchema = z.object({
  tokenAddress: addressSchema,
  paymentAmount: hypeAmountSchema,
});
export type PlanRequestBody = z.input<typeof planRequestSchema>;

const bpsSchema = z.number().int().nonnegative();

/**
 * What a job will do, calculated by `planJob`. Part of the answers of `POST /plan`, of the job's creation, and of
 * `GET /jobs/{jobId}/status`, which has the valid plan. Source: design § 4a, rules `Plan`.
 */
export const jobPlanSchema = z.object({
  depositWei: weiSchema.describe(
    'Deposit that the plan is calculated for: the chosen budget, or the counted payment after activation.',
  ),
  feeWei: weiSchema,
  orderBudgetWei: weiSchema.describe('Part of the deposit for orders.'),
  reserveWei: weiSchema.describe('Part of the deposit for gas.'),
  orders: z
    .object({
      count: z.number().int().nonnegative().describe('Number of orders.'),
      sizeWei: weiSchema.describe('Amount that one order spends.'),
      merged: z.number().int().positive().describe('Number of standard orders that one order replaces.'),
      intervalMs: z.number().nonnegative().describe('Time between two orders, ms.'),
    })
    .describe('The orders.'),
  slotMs: z.number().positive().describe('Time between two standard orders, ms.'),
  startsAt: timeSchema,
  expectedEndAt: timeSchema.describe('Time of the last order, if nothing pauses the job.'),
  tradingEndsAt: timeSchema.describe('The job places no order after this time.'),
  latestEndAt: timeSchema.describe('By then everything is delivered and returned, or held with a reason.'),
  spendableWei: weiSchema.describe(
    'Part of the order budget that the pools accept within the price band, less gas that the budget pays.',
  ),
  tokenTakesWei: weiSchema
    .optional()
    .describe('Amount at which the token refuses, about; present if a trial shows this below `spendableWei`.'),
  purchase: z
    .object({
      exchange: z.string().describe("Exchange of the first order, such as 'hyperswap-v3'."),
      seenPriceX96: priceX96Schema.describe(
        'Price from which the band is measured: wei for one smallest unit of the token, with the pool fee, times 2^96.',
      ),
      tokens: weiSchema.describe('Expected tokens, in the smallest unit.'),
      orderImpactBps: bpsSchema.describe('How much more one order costs than the first unit, in basis points.'),
      impactBps: bpsSchema.describe('How much more all orders cost on average than the first unit, in basis points.'),
      priceRiseBps: bpsSchema.describe('How far the price has risen at the last order, in basis points.'),
    })
    .describe('What the orders buy.'),
  gas: z
    .object({
      ordersWei: weiSchema,
      transfersWei: weiSchema.describe('Gas of the fee, the delivery and the return.'),
      fromReserveWei: weiSchema,
      fromBudgetWei: weiSchema,
    })
    .describe('Gas of all transactions, in parts.'),
  returnedWei: weiSchema.describe('Unspent budget and reserve, which are returned.'),
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
      gasPriceWei: weiSchema.describe('Base fee and priority fee together, wei per gas.'),
      block: z
        .object({ number: z.number().int().describe('Number of the block.'), at: timeSchema })
        .describe('Block at which the pools were read.'),
    })
    .describe('Market state that the plan assumes.'),
  token: z
    .object({
      symbol: z.string().describe('Symbol of the token.'),
      decimals: z.number().int().describe('Decimals of the token.'),
    })
    .describe('The token.'),
});
export type JobPlan = z.infer<typeof jobPlanSchema>;
