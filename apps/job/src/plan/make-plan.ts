import type { AgreedPlan, JobPlan, MarketFactsMessage } from '@maker/contracts';
import {
  DEFAULT_PLAN_LIMITS,
  gasOfMinute,
  isBookedOut,
  NO_PACE,
  type Pace,
  type Plan,
  type PlanLimits,
  type PoolState,
  planJob,
  slotsIn,
  type TokenLimits,
  wholeCapacity,
} from '@maker/rules';
import type { JobConfiguration } from '../configuration.ts';

/** Messages name budgets to 0.01 HYPE, rounded down. */
const BUDGET_STEP_WEI = 10n ** 16n;

/** Measured requests of one order: quote, estimate, sending, and later requests for it. */
const REQUESTS_PER_ORDER = 3n;

/** Configured limits of a plan, and of the capacity that all plans share. */
export interface PlanTerms {
  readonly limits: PlanLimits;
  readonly shareBps: bigint;
  readonly requestsPerMinute: bigint;
}

export interface PlanQuestion {
  readonly depositWei: bigint;
  /** ms */
  readonly startAtMs: number;
  readonly market: MarketFactsMessage;
  readonly booked: Pace;
  /** Price that the visitor saw before paying; absent before the payment. */
  readonly seenPriceX96?: bigint;
  /** Time between two standard orders that the visitor saw before paying, ms; absent before the payment. */
  readonly agreedSlotMs?: number;
}

export function planTerms(configuration: JobConfiguration): PlanTerms {
  return {
    limits: {
      ...DEFAULT_PLAN_LIMITS,
      windowMs: configuration.JOB_EXECUTION_WINDOW_SECONDS * 1000,
      pauseAllowanceMs: configuration.JOB_PAUSE_ALLOWANCE_SECONDS * 1000,
    },
    shareBps: BigInt(configuration.JOB_BLOCK_SHARE_BPS),
    requestsPerMinute: BigInt(configuration.JOB_ORDER_REQUESTS_PER_MINUTE),
  };
}

/** Capacity of all jobs together, by these market facts. */
export function capacityOf({ shareBps, requestsPerMinute }: PlanTerms, market: MarketFactsMessage): Pace {
  const { blockGas, blockTimeMs } = market;
  return wholeCapacity({ blockGas: BigInt(blockGas), blockTimeMs, shareBps, requestsPerMinute });
}

/** Makes the plan of a job before its payment. Its warnings may refuse the job. Source: design § 4a. */
export function makePlan(terms: PlanTerms, { market, booked, ...question }: PlanQuestion): Plan {
  const whole = capacityOf(terms, market);
  return planJob({
    ...question,
    pools: market.pools.map(poolState),
    ...(market.limits && { tokenLimits: tokenLimits(market.limits) }),
    gasPriceWei: BigInt(market.gasPriceWei),
    deliveryGas: BigInt(market.deliveryGas),
    capacity: {
      whole,
      // If booked out, a new job gets no free capacity.
      booked: isBookedOut(whole, booked) ? whole : booked,
      requestsPerOrder: REQUESTS_PER_ORDER,
    },
    limits: terms.limits,
  });
}

/**
 * The largest budget that a bot without other jobs can trade in the longest window, wei.
 * @returns undefined if the requested budget is within it, or if the chain has no capacity for any job
 */
export function largestBudget(terms: PlanTerms, question: PlanQuestion): bigint | undefined {
  const alone = makePlan(terms, { ...question, booked: NO_PACE });
  if (!alone.warnings.includes('no_capacity') || alone.pace === NO_PACE) return undefined;
  const takesMs = slotsIn(alone.split.orderBudgetWei) * alone.slotMs;
  const share = BigInt(Math.floor((terms.limits.longestWindowMs / takesMs) * 1e9));
  const largestWei = (question.depositWei * share) / 10n ** 9n;
  return largestWei - (largestWei % BUDGET_STEP_WEI);
}

/**
 * Makes the plan of a paid job. Other jobs may have booked the capacity since its creation: the plan keeps the shown time between
 * orders, and so the latest end. If an overpayment needs more than the longest window, the plan takes the longest window. A paid
 * job is never refused. Source: design § 4, docs/adr/0027.
 */
export function makePaidPlan(terms: PlanTerms, question: PlanQuestion): Plan {
  const plan = makePlan(terms, question);
  if (!plan.warnings.includes('no_capacity')) return plan;
  const limits = { ...terms.limits, windowMs: terms.limits.longestWindowMs };
  const { agreedSlotMs: _, ...unagreed } = question;
  return makePlan({ ...terms, limits }, { ...unagreed, booked: NO_PACE });
}

/** Converts a plan to the form that visitors see; undefined if it buys nothing. */
export function publishedPlan(terms: PlanTerms, plan: Plan, market: MarketFactsMessage): JobPlan | undefined {
  const { limits } = terms;
  const { split, orders, purchase, gas } = plan;
  if (!purchase) return undefined;
  return {
    depositWei: (split.feeWei + split.orderBudgetWei + split.reserveWei + split.excessWei).toString(),
    feeWei: split.feeWei.toString(),
    orderBudgetWei: split.orderBudgetWei.toString(),
    reserveWei: split.reserveWei.toString(),
    orders: { ...orders, sizeWei: orders.sizeWei.toString() },
    slotMs: plan.slotMs,
    startsAt: time(plan.startAtMs),
    expectedEndAt: time(plan.expectedEndAtMs),
    tradingEndsAt: time(plan.tradingEndsAtMs),
    latestEndAt: time(plan.latestEndAtMs),
    spendableWei: plan.spendableWei.toString(),
    ...(plan.tokenTakesWei !== undefined && { tokenTakesWei: plan.tokenTakesWei.toString() }),
    purchase: {
      exchange: purchase.exchange,
      seenPriceX96: purchase.seenPriceX96.toString(),
      tokens: purchase.tokens.toString(),
      orderImpactBps: Number(purchase.orderImpactBps),
      impactBps: Number(purchase.impactBps),
      priceRiseBps: Number(purchase.priceRiseBps),
    },
    gas: {
      ordersWei: gas.ordersWei.toString(),
      transfersWei: gas.transfersWei.toString(),
      fromReserveWei: gas.fromReserveWei.toString(),
      fromBudgetWei: gas.fromBudgetWei.toString(),
    },
    returnedWei: plan.returnedWei.toString(),
    limits: {
      slippageBps: Number(limits.slippageBps),
      impactCapBps: Number(limits.impactCapBps),
      bandBps: Number(limits.bandBps),
      minuteGas: gasOfMinute(capacityOf(terms, market)),
    },
    warnings: [...plan.warnings],
    assumes: { gasPriceWei: market.gasPriceWei, block: market.block },
    token: market.token,
  };
}

/** The part of a plan that maker-executor follows. */
export function agreedPlan({ slotMs, tradingEndsAt, latestEndAt, purchase, limits }: JobPlan): AgreedPlan {
  return { slotMs, tradingEndsAt, latestEndAt, seenPriceX96: purchase.seenPriceX96, ...limits };
}

function poolState({ exchange, orderGas, laterGas, samples }: MarketFactsMessage['pools'][number]): PoolState {
  return {
    exchange,
    orderGas: BigInt(orderGas),
    ...(laterGas !== undefined && { laterGas: BigInt(laterGas) }),
    samples: samples.map(({ inWei, tokens }) => ({ inWei: BigInt(inWei), tokens: BigInt(tokens) })),
  };
}

function tokenLimits({ refusesSecond, mostSpentWei }: NonNullable<MarketFactsMessage['limits']>): TokenLimits {
  return { refusesSecond, ...(mostSpentWei !== undefined && { mostSpentWei: BigInt(mostSpentWei) }) };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
