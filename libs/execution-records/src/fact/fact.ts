/**
 * News for the next tick of a job that its own session did not cause:
 *
 * `cancel`   the payer or an operator cancelled the job: no further order is placed
 * `settle`   money may have come to the wallet, or a refund is due; a tick handles it when the job is in no active phase
 * `recheck`  blocks with final transactions may have left the chain: the executor signs nothing before it has checked that
 * `reload`   an operator's command changed the execution: the session must read it again
 * `pause`    an operator paused the job, or all jobs; it stays until an operator resumes
 */
export const FACT_KINDS = ['cancel', 'settle', 'recheck', 'reload', 'pause'] as const;

export type FactKind = (typeof FACT_KINDS)[number];

/** Replaces a job's id in a pause of all jobs. */
export const ALL_JOBS = 'all';

/** An operator's command to sign no new transaction. */
export interface OperatorPause {
  readonly by: string;
  /** Chain time. */
  readonly since: Date;
}

/** One row per job and kind: a fact recorded several times is read once by the next tick. */
export interface Fact {
  readonly jobId: string;
  readonly kind: FactKind;
  /** Changes each time the fact is recorded: a tick clears only the version that it read. */
  readonly version: string;
  /** Only of a `pause`. */
  readonly pause?: OperatorPause;
}

/** Kinds that give an execution work in any phase. */
export const WORK_FACTS: readonly FactKind[] = ['cancel', 'settle', 'recheck', 'reload'];

export function factOf(facts: readonly Fact[], kind: FactKind): Fact | undefined {
  return facts.find((fact) => fact.kind === kind);
}
