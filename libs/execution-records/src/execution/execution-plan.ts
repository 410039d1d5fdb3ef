import type { AgreedPlan } from '@maker/contracts';
import { type PlanLimits, slotsIn } from '@maker/rules';

type Published = 'slotMs' | 'slippageBps' | 'impactCapBps' | 'bandBps';

/** The plan that the payer saw. It holds until the job's end; see `agreedPlanSchema`. Source: design § 4a. */
export interface ExecutionPlan extends Readonly<Pick<AgreedPlan, Published>> {
  /** In chain time, like `latestEndAt`. */
  readonly tradingEndsAt: Date;
  /** By then everything is delivered and returned, or held with a reason. */
  readonly latestEndAt: Date;
  /** Reference price of the price band, with the pool's fee; null until the first quote if the visitor saw no price. */
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

/** The plan of a job that never ran and therefore published none. */
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
