/** Every status a job can have. Source: specification § 4. */
export const JOB_STATUSES = [
  'pending_payment',
  'active',
  'completed',
  'failed_liquidity',
  'failed_technical',
  'cancelled',
  'payment_expired',
] as const;

/** Status of a job as the API returns it. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The only transitions that exist. Source: design § 4. */
const TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  pending_payment: ['active', 'payment_expired', 'cancelled'],
  active: ['completed', 'failed_liquidity', 'failed_technical', 'cancelled'],
  completed: [],
  failed_liquidity: [],
  failed_technical: [],
  cancelled: [],
  payment_expired: [],
};

/** Whether a job may go from one status to another. Source: design § 4. */
export function canTransition(from: JobStatus, to: JobStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** Whether no transition leaves this status. An unknown status of another version is not final. */
export function isFinal(status: JobStatus): boolean {
  return Object.hasOwn(TRANSITIONS, status) && TRANSITIONS[status].length === 0;
}

/** Whether a job ended without completing the paid work. */
export function isFailed(status: JobStatus): boolean {
  return isFinal(status) && status !== 'completed';
}

/**
 * The reasons for which a job's wallet waits; a sub-state of `active`. `capacity`: other jobs have booked
 * the capacity, before the fee; `ledger_drift`: the chain shows less than the ledger; `operator`: an operator paused it, in addition to other reasons. Source: design §§ 2.4, 4 and 5.
 */
export const PAUSE_REASONS = [
  'gas_guardrail',
  'price_band',
  'thin_liquidity',
  'purchase_refused',
  'capacity',
  'ledger_drift',
  'operator',
] as const;

export type PauseReason = (typeof PAUSE_REASONS)[number];
