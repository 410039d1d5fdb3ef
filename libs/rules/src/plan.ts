import type { DepositSplit } from './budget.ts';
import type { Pace } from './capacity.ts';
import type { PoolState } from './pool-curve.ts';

/** Published limits of a job's orders and times. Source: design § 4a. */
export interface PlanLimits {
  /** How much less than quoted an order may receive, basis points. */
  readonly slippageBps: bigint;
  /** How much dearer than the first unit an order may be by its own size, basis points. */
  readonly impactCapBps: bigint;
  /** How far the price may rise above the one that the visitor saw, basis points. */
  readonly bandBps: bigint;
  /** Time over which orders are spread where capacity allows it, ms. */
  readonly windowMs: number;
  /** A job that would take longer is refused, ms. */
  readonly longestWindowMs: number;
  /** Time that pauses may add to the schedule before the job ends without having spent all, ms. */
  readonly pauseAllowanceMs: number;
  /** Time for delivery and return after trading, before what cannot be sent is held, ms. */
  readonly endingAllowanceMs: number;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The limits by default. Source: design § 4a. */
export const DEFAULT_PLAN_LIMITS: PlanLimits = {
  slippageBps: 100n,
  impactCapBps: 50n,
  bandBps: 1000n,
  windowMs: DAY_MS,
  longestWindowMs: 30 * DAY_MS,
  pauseAllowanceMs: DAY_MS,
  endingAllowanceMs: HOUR_MS,
};

/** What a token limits, as a trial of a whole budget shows it. */
export interface TokenLimits {
  /** A second purchase of the same wallet in the same block was refused. */
  readonly refusesSecond: boolean;
  /** Most that one wallet could spend in all before a purchase was refused, wei; absent where none was. */
  readonly mostSpentWei?: bigint;
}

/** What a plan is made from. */
export interface PlanRequest {
  /** Chosen budget before payment, counted deposit after it, wei. */
  readonly depositWei: bigint;
  /** When trading begins, ms. */
  readonly startAtMs: number;
  /** Pools that are deep enough, all read at one block; see `sampleAmounts`. */
  readonly pools: readonly PoolState[];
  /** Absent where nothing is known of them. */
  readonly tokenLimits?: TokenLimits;
  /** Base and priority fee together, wei per gas; the plan assumes that it stays. */
  readonly gasPriceWei: bigint;
  /** Gas of the bought token's delivery. */
  readonly deliveryGas: bigint;
  readonly capacity: {
    readonly whole: Pace;
    /** By the jobs that trade now. */
    readonly booked: Pace;
    readonly requestsPerOrder: bigint;
  };
  readonly limits: PlanLimits;
  /** What the visitor saw as {@link PlannedPurchase.seenPriceX96} before paying; absent before that: the price now. */
  readonly seenPriceX96?: bigint;
  /** What the visitor saw as {@link Plan.slotMs} before paying: what others booked since makes it no longer. Absent before that. */
  readonly agreedSlotMs?: number;
}

/** For which of {@link PLAN_WARNINGS} a job is not taken. */
export const PLAN_REFUSALS = ['too_small_for_one_order', 'no_pool', 'no_capacity'] as const;

/**
 * What a visitor should know before paying. Refusals first. `pool_takes_only_part`: the price would leave the band;
 * `token_limits_holdings`: a trial of the whole budget was refused; `token_limits_purchases`: so was a second order in one block;
 * `longer_than_window`: capacity is booked; `gas_above_guardrail`: the job waits now, and the plan assumes 10 gwei;
 * `fewer_orders_than_estimated`: by dear gas, or because the pool takes only part.
 */
export const PLAN_WARNINGS = [
  ...PLAN_REFUSALS,
  'pool_takes_only_part',
  'token_limits_holdings',
  'token_limits_purchases',
  'longer_than_window',
  'gas_above_guardrail',
  'fewer_orders_than_estimated',
] as const;

export type PlanWarning = (typeof PLAN_WARNINGS)[number];

/** Whether a job of this plan is not taken, so that nobody pays for it. */
export function isRefused({ warnings }: Pick<Plan, 'warnings'>): boolean {
  return PLAN_REFUSALS.some((refusal) => warnings.includes(refusal));
}

/** What is to be expected of a market in which only this job trades: prices stay where its orders move them. */
export interface PlannedPurchase {
  /** Exchange that the first order goes to. */
  readonly exchange: string;
  /** Price that the band is measured from, pool fee in it, X96. Without the fee it is quality's arrival price. */
  readonly seenPriceX96: bigint;
  /** Smallest units of the token. */
  readonly tokens: bigint;
  /** How much dearer than the first unit one order is, and all of them on average; basis points, rounded up. */
  readonly orderImpactBps: bigint;
  readonly impactBps: bigint;
  /** How far the price has risen at the last order, basis points, rounded up. */
  readonly priceRiseBps: bigint;
}

/** Gas to be expected, and which part of the deposit pays it. All wei; by origin and by payer the sum is the same. */
export interface PlannedGas {
  readonly ordersWei: bigint;
  /** The fee's transfer, delivery and return. */
  readonly transfersWei: bigint;
  readonly fromReserveWei: bigint;
  readonly fromBudgetWei: bigint;
}

/** What a job will do. Source: design § 4a. */
export interface Plan {
  readonly split: DepositSplit;
  readonly orders: {
    readonly count: number;
    /** Spent by one of them, wei; the last two may differ. */
    readonly sizeWei: bigint;
    /** Standard orders that one stands for. */
    readonly merged: number;
    /** Time between two of them, ms. */
    readonly intervalMs: number;
  };
  /** Time between two standard orders, ms: what fixes the value of an hour, whatever gas does. */
  readonly slotMs: number;
  /** What the job books until its end. */
  readonly pace: Pace;
  readonly startAtMs: number;
  /** Last order, if nothing pauses the job; `tradingEndsAtMs` where the pool takes only part, since the job waits for it. */
  readonly expectedEndAtMs: number;
  /** start + order budget / 0.0004 HYPE × slot + allowance for pauses: no order after it, whatever happens. */
  readonly tradingEndsAtMs: number;
  /** `tradingEndsAtMs` + allowance for the ending: all is delivered and returned, or held with a reason. */
  readonly latestEndAtMs: number;
  /** Part of the order budget that the pools take within the band, less gas that comes out of it, wei. */
  readonly spendableWei: bigint;
  /** What the token lets one wallet spend, where that is less than {@link spendableWei}, wei. */
  readonly tokenTakesWei?: bigint;
  /** Absent where nothing can be bought. */
  readonly purchase?: PlannedPurchase;
  readonly gas: PlannedGas;
  /** Unspent budget and reserve, wei. deposit = fee + excess + spendable + gas + returned. */
  readonly returnedWei: bigint;
  readonly warnings: readonly PlanWarning[];
}
