import type { Evidence } from './evidence.ts';

export interface Rule {
  /** Stable name, for programs. */
  readonly id: string;
  /** What the chain and this build prove where nothing is found; absent where the service's word takes part in it. */
  readonly statement?: (evidence: Evidence) => string;
  /** Finds what is not so, one sentence each; only the first is asked for. */
  readonly broken: (evidence: Evidence) => Iterable<string>;
}
