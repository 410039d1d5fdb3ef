import type { AgreedPlan } from '@maker/contracts';
import { type PlanLimits, slotsIn } from '@maker/rules';

type Published = 'slotMs' | 'slippageBps' | 'impactCapBps' | 'bandBps';

/** What was published to the payer and holds until the job's end; see `agreedPlanSchema`. Source: design § 4a. */
export interface ExecutionPlan extends Readonly<Pick<AgreedPlan, Published>> {
  /** By the chain's clock, as the other. */
  readonly tradingEndsAt: Date;
  /** All is delivered and returned by then, or held with a reason. */
  readonly latestEndAt: Date;
  /** What the price band is measured from, pool fee in it; null until the first quote, where nobody saw a price. */
  readonly seenPriceX96: bigint | null;
  readonly minuteGas?: number;
}

/** The plan as the job service published it. */
export function agreedPlan(plan: AgreedPlan): ExecutionPlan {
  const { seenPriceX96, minuteGas, ...rest } = plan;
  return {
    ...rest,
    ...(minuteGas !== undefined && { minuteGas }),
    tradingEndsAt: new Date(plan.tradingEndsAt),
    latestEndAt: new Date(plan.latestEndAt),
    seenPriceX96: seenPriceX96 === null ? null : BigInt(seenPriceX96),
  };
}

/** The plan of a job that never ran, and so published none. */
export function derivedPlan(orderBudgetWei: bigint, startAtMs: number, limits: PlanLimits): ExecutionPlan {
  const tradingEndsAtMs = startAtMs + limits.windowMs + limits.pauseAllowanceMs;
  return {
    slotMs: limits.windowMs / Math.max(1, slotsIn(orderBudgetWei)),
    tradingEndsAt: new Date(tradingEndsAtMs),
    latestEndAt: new Date(tradingEndsAtMs + limits.endingAllowanceMs),
    seenPriceX96: null,
    slippageBps: Number(limits.slippageBps),
    impactCapBps: Number(limits.impactCapBps),
    bandBps: Number(limits.bandBps),
  };
}
