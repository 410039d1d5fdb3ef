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
}

/** For figures. */
export const WHOLE: Effort = { rounds: 5, seconds: 4, jobs: 2000 };

/** Shows that everything still can be measured, and judges no time. */
export const SMOKE: Effort = { rounds: 1, seconds: 0.5, jobs: 50 };

/** The middle one of some values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Whether the median is where it must be. */
export function isReached({ ratios, mustReach }: Figure): boolean {
  const middle = median(ratios);
  return 'atLeast' in mustReach ? middle >= mustReach.atLeast : middle <= mustReach.atMost;
}
