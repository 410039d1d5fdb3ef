import {
  depositHeld,
  depositReturnDue,
  depositReturned,
  fundsReleased,
  jobCancelRequested,
  surplusFound,
  transferSettled,
} from './deposit-events.ts';
import {
  executionCompleted,
  executionFailed,
  executionPaused,
  executionResumed,
  executionStarted,
  ordersMined,
} from './execution-events.ts';
import { jobActivated, jobCreated, jobStatusChanged } from './job-events.ts';
import { paymentDeadlinePassed, paymentDropped, paymentReceived } from './payment-events.ts';

/** Type of every event that exists. */
export const EVENT_TYPES: readonly string[] = [
  jobCreated,
  jobActivated,
  jobStatusChanged,
  paymentReceived,
  paymentDropped,
  paymentDeadlinePassed,
  executionStarted,
  ordersMined,
  executionPaused,
  executionResumed,
  executionCompleted,
  executionFailed,
  depositReturnDue,
  depositReturned,
  depositHeld,
  surplusFound,
  fundsReleased,
  transferSettled,
  jobCancelRequested,
].map(({ type }) => type);
