import {
  executionCancelCommanded,
  executionCompleted,
  executionFailed,
  executionPaused,
  executionResumed,
  executionStarted,
  ordersMined,
  transferSettled,
} from './execution-events.ts';
import { jobActivated, jobCancelRequested, jobCreated, jobStatusChanged } from './job-events.ts';
import {
  paymentDeadlinePassed,
  paymentDropped,
  paymentReceived,
  paymentSeen,
  paymentSeenOnHyperCore,
  surplusFound,
} from './payment-events.ts';
import { fundsReleased, refundDue, refundHeld, refundPaid } from './refund-events.ts';

/** Type of every event that exists. */
export const EVENT_TYPES: readonly string[] = [
  jobCreated,
  jobActivated,
  jobStatusChanged,
  paymentSeen,
  paymentReceived,
  paymentDropped,
  paymentDeadlinePassed,
  paymentSeenOnHyperCore,
  executionStarted,
  ordersMined,
  executionPaused,
  executionResumed,
  executionCompleted,
  executionFailed,
  executionCancelCommanded,
  refundDue,
  refundPaid,
  refundHeld,
  surplusFound,
  fundsReleased,
  transferSettled,
  jobCancelRequested,
].map(({ type }) => type);
