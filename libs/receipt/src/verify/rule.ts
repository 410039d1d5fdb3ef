import type { Evidence } from './evidence.ts';

/** What a receipt must stand. */
export interface Rule {
  /** Stable name, for programs. */
  readonly id: string;
  /** What is so where nothing is found. */
  readonly statement: (evidence: Evidence) => string;
  /** Finds what is not so, one sentence each; only the first is asked for. */
  readonly broken: (evidence: Evidence) => Iterable<string>;
}
