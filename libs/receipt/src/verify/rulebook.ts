/** The rules of one version. They never change and never come from a receipt. Source: design §§ 2 and 4a. */
export interface Rulebook {
  /** Base and priority fee above which no order is placed, wei per gas. */
  readonly orderGasPriceWei: bigint;
  /** Most that any other transaction may pay, wei per gas. */
  readonly gasPriceWei: bigint;
  readonly feePercent: bigint;
  readonly largestOrderWei: bigint;
  /** An order that is not mined within this time reverts. */
  readonly orderLifeMs: number;
  /** A schedule that lags further behind restarts at the current time, so that orders never catch up in a burst. */
  readonly lagMs: number;
  /** Widest limits. An operator may publish tighter ones; the verdict lists wider ones as not known. */
  readonly slippageBps: number;
  readonly bandBps: number;
  /** HYPE side of a pool that counts as an offer. */
  readonly minimumLiquidityWei: bigint;
  /** Shortest time over which orders are spread. */
  readonly windowMs: number;
  /** Longest times between the end of the schedule, of trading, and of the job. */
  readonly pauseAllowanceMs: number;
  readonly endingAllowanceMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The version for new jobs. */
export const RULES_VERSION = 1;

/** Rules by version. A version never changes, because published jobs rely on it. */
export const RULEBOOKS: ReadonlyMap<number, Rulebook> = new Map([
  [
    1,
    {
      orderGasPriceWei: 10_000_000_000n,
      gasPriceWei: 20_000_000_000n,
      feePercent: 30n,
      largestOrderWei: 6_400_000_000_000_000n,
      orderLifeMs: 120_000,
      lagMs: 5000,
      slippageBps: 100,
      bandBps: 1000,
      minimumLiquidityWei: 10_000_000_000_000_000_000n,
      windowMs: DAY_MS,
      pauseAllowanceMs: DAY_MS,
      endingAllowanceMs: HOUR_MS,
    },
  ],
]);
