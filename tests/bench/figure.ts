/** What a figure has to be. */
export type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** One row of the table: what of ours is so many times its peer's, measured in the same run. */
export interface Figure {
  readonly name: string;
  /** What it is compared with. */
  readonly peer: string;
  /** Ours by the peer's, one of each round. */
  readonly ratios: readonly number[];
  readonly mustReach: Bound;
  /** What stands behind the ratio, in units of its own: for the reader, never judged. */
  readonly behind: string;
}

/** How long and how often is measured. */
export interface Effort {
  readonly rounds: number;
  /** Of each measurement, s. */
  readonly seconds: number;
  /** Different jobs where many are asked for. */
  readonly jobs: number;
  /** Addresses where many are watched. */
  readonly watched: number;
  /** Payments whose way is measured. */
  readonly payments: number;
  /** Jobs that are asked for at once. */
  readonly creations: number;
  /** Of a job whose orders are counted, HYPE. */
  readonly budget: number;
  /** That trade at once. */
  readonly wallets: number;
  /** Answered before memory is looked at again. */
  readonly requests: number;
  /** Open pages that poll. */
  readonly visitors: number;
  /** Open at once on one gateway. */
  readonly channels: number;
}

/** For figures. */
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

/** Shows that everything still can be measured, and judges no time. */
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

/** The value below which a share of some values is, of 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The sum of some values. */
export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The middle one of some values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Whether the median is where it must be. */
export function isReached({ ratios, mustReach }: Figure): boolean {
  const middle = median(ratios);
  return 'atLeast' in mustReach ? middle >= mustReach.atLeast : middle <= mustReach.atMost;
}
