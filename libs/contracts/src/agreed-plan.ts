import { z } from 'zod';
import { priceX96Schema, timeSchema } from './primitives.ts';

/** What was published to the payer for this job and holds until its end. Source: design § 4a, rules, `Plan`. */
export const agreedPlanSchema = z.object({
  slotMs: z.number().positive().describe('Time between two standard orders, ms.'),
  tradingEndsAt: timeSchema.describe('No order after it.'),
  latestEndAt: timeSchema.describe('All is delivered and returned by then, or held with a reason.'),
  seenPriceX96: priceX96Schema
    .nullable()
    .describe(
      'Price that the visitor saw, pool fee in it, X96; null where none was known: the first quote stands for it.',
    ),
  slippageBps: z.number().int().positive().describe('Basis points.'),
  impactCapBps: z.number().int().positive().describe('Most that one order may move the price, in basis points.'),
  bandBps: z.number().int().positive().describe('Band of prices in which the job trades, in basis points.'),
  minuteGas: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('Gas that all jobs together use at most in any minute; absent: no limit.'),
});
export type AgreedPlan = z.infer<typeof agreedPlanSchema>;
