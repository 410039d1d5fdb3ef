import { z } from 'zod';
import { priceX96Schema, timeSchema } from './primitives.ts';

/** The plan that the payer saw. It holds until the job ends. Source: design § 4a, rules, `Plan`. */
export const agreedPlanSchema = z.object({
  slotMs: z.number().positive().describe('Time between two standard orders, ms.'),
  tradingEndsAt: timeSchema.describe('The job places no order after this time.'),
  latestEndAt: timeSchema.describe('By then everything is delivered and returned, or held with a reason.'),
  seenPriceX96: priceX96Schema
    .nullable()
    .describe(
      'Price that the visitor saw, with the pool fee, X96. Null if none was known: the first quote replaces it.',
    ),
  slippageBps: z.number().int().positive().describe('Slippage limit in basis points.'),
  impactCapBps: z.number().int().positive().describe('Most that one order may move the price, in basis points.'),
  bandBps: z.number().int().positive().describe('Band of prices in which the job trades, in basis points.'),
  minuteGas: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('Most gas that all jobs together use in any minute. Absent: no limit.'),
});
export type AgreedPlan = z.infer<typeof agreedPlanSchema>;
