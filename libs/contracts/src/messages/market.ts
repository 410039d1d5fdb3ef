import { z } from 'zod';
import { jobPlanSchema } from '../http/plan.ts';
import { validateTokenRequestSchema, validateTokenResponseSchema } from '../http/validate-token.ts';
import { addressSchema, timeSchema, weiSchema } from '../primitives.ts';
import { contract } from './request-contract.ts';

/** An amount of gas as a decimal string. */
const gasSchema = z.string().regex(/^\d+$/);

/** Most pools of one token, and most quotes of one pool. The registry has a dozen pools; a plan needs two dozen quotes. */
const MOST_POOLS = 64;
const MOST_SAMPLES = 64;

/** Inputs of a plan, except budget and capacity. Source: design § 4a, rules `PlanRequest`. */
export const marketFactsSchema = z.object({
  /** The newest small block at the time of the reading. */
  block: z.object({ number: z.number().int(), at: timeSchema }),
  /** Base fee and priority fee together, wei per gas. */
  gasPriceWei: weiSchema,
  deliveryGas: gasSchema,
  /** Gas limit of a small block, and the time between two of them, ms. */
  blockGas: gasSchema,
  blockTimeMs: z.number().positive(),
  token: z.object({ symbol: z.string(), decimals: z.number().int() }),
  pools: z
    .array(
      z.object({
        exchange: z.string(),
        orderGas: gasSchema,
        /** Gas of each buy after the first; absent if it is the same. */
        laterGas: gasSchema.optional(),
        samples: z.array(z.object({ inWei: weiSchema, tokens: weiSchema })).max(MOST_SAMPLES),
      }),
    )
    .max(MOST_POOLS),
  /** Limits of the token, see `TokenLimits` of rules. Absent if none is known, and in answers of an earlier version. */
  limits: z.object({ refusesSecond: z.boolean(), mostSpentWei: weiSchema.optional() }).optional(),
});
export type MarketFactsMessage = z.infer<typeof marketFactsSchema>;

/** Answered by token-validation: its verdict and, for a tradable token, the inputs of a plan. Reads the chain. */
export const readMarket = contract(
  'token.market.get',
  validateTokenRequestSchema,
  z.object({ verdict: validateTokenResponseSchema, market: marketFactsSchema.optional() }),
);

/** Answered by job: what a job would do, or why it would be refused. */
export const makePlan = contract(
  'job.plan.make',
  z.object({
    tokenAddress: addressSchema,
    paymentAmountWei: weiSchema,
    /** The client, as in `job.create`: its network has a share of the capacity. */
    clientAddress: z.string().min(1).max(64).optional(),
  }),
  jobPlanSchema,
);
