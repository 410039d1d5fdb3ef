import type { ClaimedTransferMessage } from '@maker/contracts';
import { canTransition, isFinal, type JobStatus } from '@maker/rules';
import type { Job } from './job.ts';

/** One step of a job's life, for its event and its audit entry. */
export type StatusTransition = Readonly<Record<'from' | 'to', JobStatus>>;

/** What a message made of a job. Without a transition only its money changed. */
export interface JobChange {
  readonly before: Job;
  readonly after: Job;
  readonly transition?: StatusTransition;
  /** Of an activation: the transfers by which the payer is known. */
  readonly paidBy?: readonly ClaimedTransferMessage[];
}

/**
 * Takes a job to another status, or returns undefined where the state machine has no such step: a message that comes
 * twice or out of order changes nothing and is no error. Source: design § 4.
 * @param details what the step sets besides status and times
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
