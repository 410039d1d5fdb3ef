import { z } from 'zod';
import { timeSchema, weiSchema } from './primitives.ts';

/** What was published to the payer for this job and holds until its end. Source: design § 4a, rules, `Plan`. */
export const agreedPlanSchema = z.object({
  /** Time between two standard orders, ms. */
  slotMs: z.number().positive(),
  /** No order after it. */
  tradingEndsAt: timeSchema,
  /** All is delivered and returned by then, or held with a reason. */
  latestEndAt: timeSchema,
  /** Price that the visitor saw, pool fee in it, X96; null where none was known: the first quote stands for it. */
  seenPriceX96: weiSchema.nullable(),
  /** Basis points. */
  slippageBps: z.number().int().positive(),
  impactCapBps: z.number().int().positive(),
  bandBps: z.number().int().positive(),
  /** Gas that all jobs together use at most in any minute; absent from plans of an earlier version. */
  minuteGas: z.number().int().nonnegative().optional(),
});
export type AgreedPlan = z.infer<typeof agreedPlanSchema>;
