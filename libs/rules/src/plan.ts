import type { DepositSplit } from './budget.ts';
import type { Pace } from './capacity.ts';
import type { PoolState } from './pool-curve.ts';

/** Published limits of a job's orders and times. Source: design § 4a. */
export interface PlanLimits {
  /** How much less than quoted an order may receive, basis points. */
  readonly slippageBps: bigint;
  /** Largest price impact of an order by its own size, basis points. */
  readonly impactCapBps: bigint;
  /** Largest rise of the price above the one that the visitor saw, basis points. */
  readonly bandBps: bigint;
  /** Time over which orders are spread if capacity allows it, ms. */
  readonly windowMs: number;
  /** Longest time of a job; a longer one is refused, ms. */
  readonly longestWindowMs: number;
  /** Time that pauses may add to the schedule before the job ends with money unspent, ms. */
  readonly pauseAllowanceMs: number;
  /** Time for delivery and return after trading; after it, the service holds what it cannot send, ms. */
  readonly endingAllowanceMs: number;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Default limits. Source: design § 4a. */
export const DEFAULT_PLAN_LIMITS: PlanLimits = {
  slippageBps: 100n,
  impactCapBps: 50n,
  bandBps: 1000n,
  windowMs: DAY_MS,
  longestWindowMs: 30 * DAY_MS,
  pauseAllowanceMs: DAY_MS,
  endingAllowanceMs: HOUR_MS,
};

/** A token's limits, as a trial of a whole budget shows them. */
export interface TokenLimits {
  /** Whether the token refused the same wallet's second purchase in one block. */
  readonly refusesSecond: boolean;
  /** Most that one wallet could spend in total before a refusal, wei; absent without a refusal. */
  readonly mostSpentWei?: bigint;
}

/** Input of a plan. */
export interface PlanRequest {
  /** The chosen budget before payment, the counted deposit after it, wei. */
  readonly depositWei: bigint;
  /** Start of trading, ms. */
  readonly startAtMs: number;
  /** Pools that are deep enough, all read at one block; see `sampleAmounts`. */
  readonly pools: readonly PoolState[];
  /** Absent where they are unknown. */
  readonly tokenLimits?: TokenLimits;
  /** Base plus priority fee, wei per gas; the plan assumes that it stays constant. */
  readonly gasPriceWei: bigint;
  /** Gas of the delivery of the bought tokens. */
  readonly deliveryGas: bigint;
  readonly capacity: {
    readonly whole: Pace;
    /** Pace of the jobs that trade now. */
    readonly booked: Pace;
    readonly requestsPerOrder: bigint;
  };
  readonly limits: PlanLimits;
  /** The {@link PlannedPurchase.seenPriceX96} that the visitor saw before paying; absent before that: the current price counts. */
  readonly seenPriceX96?: bigint;
  /** The {@link Plan.slotMs} that the visitor saw before paying: later bookings do not lengthen it. Absent before that. */
  readonly agreedSlotMs?: number;
}

/** The {@link PLAN_WARNINGS} for which the service refuses a job. */
export const PLAN_REFUSALS = ['too_small_for_one_order', 'no_pool', 'no_capacity'] as const;

/**
 * Warnings for a visitor before payment. Refusals first. `pool_takes_only_part`: the price would leave the band;
 * `token_limits_holdings`: the token refused a trial of the whole budget; `token_limits_purchases`: it refused a second order in one
 * block; `longer_than_window`: half of the free capacity is less than the window needs; `gas_above_guardrail`: the job waits now, and the plan assumes 10 gwei;
 * `fewer_orders_than_estimated`: because of dear gas, or because the pool takes only part; `only_one_pool`: a trader who holds it above
 * the band after the fee leaves the job nothing to buy.
 */
export const PLAN_WARNINGS = [
  ...PLAN_REFUSALS,
  'pool_takes_only_part',
  'token_limits_holdings',
  'token_limits_purchases',
  'longer_than_window',
  'gas_above_guardrail',
  'fewer_orders_than_estimated',
  'only_one_pool',
] as const;

export type PlanWarning = (typeof PLAN_WARNINGS)[number];

/** Whether the service refuses a job with this plan before payment. */
export function isRefused({ warnings }: Pick<Plan, 'warnings'>): boolean {
  return PLAN_REFUSALS.some((refusal) => warnings.includes(refusal));
}

/** Expected purchase in a market without other traders: prices stay where the job's orders move them. */
export interface PlannedPurchase {
  /** Exchange of the first order. */
  readonly exchange: string;
  /** Reference price of the band including the pool fee, X96. Without the fee it is quality's arrival price. */
  readonly seenPriceX96: bigint;
  /** Smallest units of the token. */
  readonly tokens: bigint;
  /** Price impact relative to the first unit, of one order and of all on average; basis points, rounded up. */
  readonly orderImpactBps: bigint;
  readonly impactBps: bigint;
  /** Rise of the price until the last order, basis points, rounded up. */
  readonly priceRiseBps: bigint;
}

/** Expected gas, and the parts of the deposit that pay it. All wei; both pairs have the same sum. */
export interface PlannedGas {
  readonly ordersWei: bigint;
  /** The fee's transfer, delivery and return. */
  readonly transfersWei: bigint;
  readonly fromReserveWei: bigint;
  readonly fromBudgetWei: bigint;
}

/** Plan of a job. Source: design § 4a. */
export interface Plan {
  readonly split: DepositSplit;
  readonly orders: {
    readonly count: number;
    /** Amount of one order, wei; the last two may differ. */
    readonly sizeWei: bigint;
    /** Number of standard orders in one order. */
    readonly merged: number;
    /** Time between two orders, ms. */
    readonly intervalMs: number;
  };
  /** Time between two standard orders, ms. It fixes the value traded in an hour, independently of gas. */
  readonly slotMs: number;
  /** The pace that the job books until its end. */
  readonly pace: Pace;
  readonly startAtMs: number;
  /** Time of the last order without pauses; `tradingEndsAtMs` where the pool takes only part, since the job waits until then. */
  readonly expectedEndAtMs: number;
  /** start + order budget / 0.0004 HYPE × slot + allowance for pauses: the service never places an order after it. */
  readonly tradingEndsAtMs: number;
  /** `tradingEndsAtMs` + allowance for the ending: all is delivered and returned, or held with a reason. */
  readonly latestEndAtMs: number;
  /** Part of the order budget that the pools take within the band, minus the gas paid from it, wei. */
  readonly spendableWei: bigint;
  /** Most that the token lets one wallet spend, if it is less than {@link spendableWei}, wei. */
  readonly tokenTakesWei?: bigint;
  /** Absent where the job can buy nothing. */
  readonly purchase?: PlannedPurchase;
  readonly gas: PlannedGas;
  /** Unspent budget and reserve, wei. deposit = fee + excess + spendable + gas + returned. */
  readonly returnedWei: bigint;
  readonly warnings: readonly PlanWarning[];
}
