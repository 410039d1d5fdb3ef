import type { ClaimedTransferMessage } from '@maker/contracts';
import { canTransition, isFinal, type JobStatus } from '@maker/rules';
import type { Job } from './job.ts';

/** A change of a job's status, for its event and audit entry. */
export type StatusTransition = Readonly<Record<'from' | 'to', JobStatus>>;

/** A change of a job. Without a transition, its status stays. */
export interface JobChange {
  readonly before: Job;
  readonly after: Job;
  readonly transition?: StatusTransition;
  /** For an activation: ids of the deposits that pay for the job. */
  readonly paying?: readonly string[];
  /** For an activation: transfers that prove the payer. */
  readonly paidBy?: readonly ClaimedTransferMessage[];
  /** For an activation by the holder of the stop secret: the least payment that this payer agrees to, wei. */
  readonly agreedLeastWei?: bigint;
}

/**
 * Changes the status of a job, or returns undefined if the state machine has no such transition: a repeated or late
 * message changes nothing and is not an error. Source: design § 4.
 * @param details fields to set in addition to status and times
 */
export function changeStatus(
  job: Job,
  to: JobStatus,
  nowMs: number,
  details: Partial<Pick<Job, 'failureReason' | 'returnAddress' | 'payment' | 'paidAtMs' | 'stopRequestedAtMs'>> = {},
): JobChange | undefined {
  if (!canTransition(job.status, to)) return undefined;
  return {
    before: job,
    after: {
      ...job,
      ...details,
      status: to,
      ...(to === 'active' ? { activatedAtMs: nowMs } : {}),
      ...(isFinal(to) ? { endedAtMs: nowMs } : {}),
    },
    transition: { from: job.status, to },
  };
}
