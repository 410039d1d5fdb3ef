/**
 * What a tick has to know of that its own session did not cause:
 *
 * `cancel`   the payer or an operator cancelled the job: no further order is placed
 * `settle`   money may have come to the wallet, or a refund is due; handled once the job is in no active phase
 * `recheck`  blocks with final transactions may have left the chain: nothing is signed until that is settled
 * `reload`   an operator's command changed the execution: the session reads it again
 * `pause`    an operator paused the job, or all jobs; it stays until an operator resumes
 */
export const FACT_KINDS = ['cancel', 'settle', 'recheck', 'reload', 'pause'] as const;

export type FactKind = (typeof FACT_KINDS)[number];

/** In place of a job's id: an operator paused all of them. */
export const ALL_JOBS = 'all';

/** An operator's command that nothing new is signed. */
export interface OperatorPause {
  readonly by: string;
  /** Chain time. */
  readonly since: Date;
}

/** One row per job and kind: however often it is told, the next tick reads it once. */
export interface Fact {
  readonly jobId: string;
  readonly kind: FactKind;
  /** Changes each time that it is told: a tick clears only what it has seen. */
  readonly version: string;
  /** Of a `pause`. */
  readonly pause?: OperatorPause;
}

/** Kinds that give an execution work, whatever its phase. */
export const WORK_FACTS: readonly FactKind[] = ['cancel', 'settle', 'recheck', 'reload'];

/** The fact of a kind, if there is one. */
export function factOf(facts: readonly Fact[], kind: FactKind): Fact | undefined {
  return facts.find((fact) => fact.kind === kind);
}
