import { z } from 'zod';
import { jobPlanSchema } from '../http/plan.ts';
import { validateTokenRequestSchema, validateTokenResponseSchema } from '../http/validate-token.ts';
import { addressSchema, timeSchema, weiSchema } from '../primitives.ts';
import { contract } from './request-contract.ts';

/** A count of gas as a decimal string. */
const gasSchema = z.string().regex(/^\d+$/);

/** Pools of one token at most, and quotes of one pool: the registry has a dozen of the first, a plan needs two dozen of the second. */
const MOST_POOLS = 64;
const MOST_SAMPLES = 64;

/** What a plan is made from, apart from budget and capacity. Source: design § 4a, rules `PlanRequest`. */
export const marketFactsSchema = z.object({
  /** The newest small block when it was read. */
  block: z.object({ number: z.number().int(), at: timeSchema }),
  /** Base and priority fee together, wei per gas. */
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
        /** Of all but the first buy; absent where it is the same. */
        laterGas: gasSchema.optional(),
        samples: z.array(z.object({ inWei: weiSchema, tokens: weiSchema })).max(MOST_SAMPLES),
      }),
    )
    .max(MOST_POOLS),
  /** Of the token; absent where nothing is known, or a service of an earlier version tells it. See `TokenLimits` of rules. */
  limits: z.object({ refusesSecond: z.boolean(), mostSpentWei: weiSchema.optional() }).optional(),
});
export type MarketFactsMessage = z.infer<typeof marketFactsSchema>;

/** Answered by token-validation: its verdict, and for a token that can be traded what a plan is made from. Reads the chain. */
export const readMarket = contract(
  'token.market.get',
  validateTokenRequestSchema,
  z.object({ verdict: validateTokenResponseSchema, market: marketFactsSchema.optional() }),
);

/** Answered by job: what a job would do, or why it would not be taken. */
export const makePlan = contract(
  'job.plan.make',
  z.object({ tokenAddress: addressSchema, paymentAmountWei: weiSchema }),
  jobPlanSchema,
);
