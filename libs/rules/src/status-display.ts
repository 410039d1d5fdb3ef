import type { JobStatus } from './job-state.ts';

/** Display of a job in the payment step. */
export interface StatusDisplay {
  readonly colour: 'yellow' | 'green' | 'red';
  readonly label: string;
  /** The pill's text where it differs from the label. */
  readonly pill: string;
  /** The sentence shown with failed and cancelled jobs. */
  readonly advice?: string;
}

const DEADLINE_LABEL = 'Transaction Failed - Deadline Exceeded';
const FAILED_ADVICE = 'Job has failed. Please contact support if needed.';

/** 'The failed and cancelled states': an expired payment is neither, and its own text gives the reason. Source: specification § 4. */
const ADVISED: readonly string[] = ['failed_liquidity', 'failed_technical', 'cancelled'] satisfies JobStatus[];

const show = (colour: StatusDisplay['colour'], label: string, pill = label): StatusDisplay => ({ colour, label, pill });

const WAITING = show('yellow', 'Waiting for confirmation');
const DEADLINE_EXCEEDED = show('red', DEADLINE_LABEL, 'Transaction deadline exceeded. Job has failed.');

const BY_STATUS: Readonly<Partial<Record<JobStatus, StatusDisplay>>> = {
  active: show('green', 'Job Active - Trading'),
  completed: show('green', 'Job Completed Successfully'),
  failed_liquidity: show('red', 'Job Failed - Insufficient Liquidity'),
  failed_technical: show('red', 'Job Failed - Technical Issue'),
  cancelled: show('red', 'Job Cancelled'),
  payment_expired: show('red', DEADLINE_LABEL),
};

/**
 * The status table of specification § 4.
 * @param status from the API; an unknown one shows as waiting
 * @param paymentReceived overrides every status
 * @param deadlinePassed whether the job's deadline has passed
 */
export function displayStatus(status: string, paymentReceived: boolean, deadlinePassed: boolean): StatusDisplay {
  if (paymentReceived) return show('green', 'Transaction Received - Job Active');
  if (status === 'pending_payment' && deadlinePassed) return DEADLINE_EXCEEDED;
  const known = BY_STATUS[status as JobStatus];
  if (!known) return WAITING;
  return ADVISED.includes(status) ? { ...known, advice: FAILED_ADVICE } : known;
}
