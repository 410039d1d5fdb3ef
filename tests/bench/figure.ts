/** Bound of a figure. */
export type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** One row of the table: our value as a ratio to the peer's, from the same run. */
export interface Figure {
  readonly name: string;
  /** The peer. */
  readonly peer: string;
  /** Our value divided by the peer's, one per round. */
  readonly ratios: readonly number[];
  readonly mustReach: Bound;
  /** The values behind the ratio, for the reader; no bound applies. */
  readonly behind: string;
}

/** Duration and number of measurements. */
export interface Effort {
  readonly rounds: number;
  /** Duration of each measurement, s. */
  readonly seconds: number;
  /** Number of jobs that are read. */
  readonly jobs: number;
  /** Number of watched addresses. */
  readonly watched: number;
  /** Number of measured payments. */
  readonly payments: number;
  /** Number of jobs created in parallel. */
  readonly creations: number;
  /** Budget of a job with counted orders, HYPE. */
  readonly budget: number;
  /** Number of wallets that trade in parallel. */
  readonly wallets: number;
  /** Answers between two measurements of memory. */
  readonly requests: number;
  /** Number of open pages that poll. */
  readonly visitors: number;
  /** Number of channels open together on one gateway. */
  readonly channels: number;
}

/** Effort for figures. */
export const WHOLE: Effort = {
  rounds: 5,
  seconds: 4,
  jobs: 2000,
  watched: 100_000,
  payments: 30,
  creations: 2000,
  budget: 0.4,
  wallets: 8,
  requests: 500_000,
  visitors: 100_000,
  channels: 10_000,
};

/** Effort for a check that every measurement still works; it judges no time. */
export const SMOKE: Effort = {
  rounds: 1,
  seconds: 0.5,
  jobs: 50,
  watched: 500,
  payments: 2,
  creations: 20,
  budget: 0.25,
  wallets: 2,
  requests: 500,
  visitors: 500,
  channels: 50,
};

/** The value below which a given share of the values lies, of 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The sum of some values. */
export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The median of some values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Whether the median is within its bound. */
export function isReached({ ratios, mustReach }: Figure): boolean {
  const middle = median(ratios);
  return 'atLeast' in mustReach ? middle >= mustReach.atLeast : middle <= mustReach.atMost;
}
