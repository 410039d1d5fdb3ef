import {
  type Event,
  type EventContract,
  type EventSource,
  executionCompleted,
  executionFailed,
  executionPaused,
  executionResumed,
  executionStarted,
  fundsReleased,
  jobActivated,
  jobCancelRequested,
  jobCreated,
  jobStatusChanged,
  ordersMined,
  paymentDropped,
  paymentReceived,
  paymentSeen,
  paymentSeenOnHyperCore,
  refundDue,
  refundHeld,
  refundPaid,
  surplusFound,
  transferSettled,
} from '@maker/contracts';
import type { z } from 'zod';

/** A kind of event that endpoints are told of, and who records it. */
export interface ToldEvent {
  readonly source: EventSource;
  readonly contract: EventContract<string, z.ZodType<Record<string, unknown>>>;
}

const from = (source: EventSource, ...contracts: ToldEvent['contract'][]): ToldEvent[] =>
  contracts.map((contract) => ({ source, contract }));

/**
 * Every change of a job and of its money. What is left out changes nothing of either: that the chain has passed a deadline, and that
 * operators gave a command, whose names are nobody else's business; what follows from both is told.
 */
export const TOLD_EVENTS: readonly ToldEvent[] = [
  ...from('job', jobCreated, jobActivated, jobStatusChanged, jobCancelRequested, refundDue),
  ...from('payment-watcher', paymentSeen, paymentReceived, paymentDropped, paymentSeenOnHyperCore),
  ...from(
    'maker-executor',
    executionStarted,
    ordersMined,
    executionPaused,
    executionResumed,
    executionCompleted,
    executionFailed,
    transferSettled,
    surplusFound,
    refundPaid,
    refundHeld,
    fundsReleased,
  ),
];

/** Where a wallet stands below the account key: with the xpub it names every other wallet too. */
const UNTOLD = 'walletIndex';

/** What endpoints are sent, made once of each event and kept as these bytes: an id never changes its content. */
export interface WebhookMessage {
  /** The event's id: `webhook-id` of every attempt. */
  readonly id: string;
  readonly type: string;
  readonly jobId: string;
  readonly occurredAt: Date;
  /** JSON. */
  readonly body: string;
}

/** The message of an event, in the form that Standard Webhooks recommends. */
export function messageOf({ id, type, jobId, occurredAt, data }: Event): WebhookMessage {
  const told = Object.fromEntries(Object.entries(data).filter(([field]) => field !== UNTOLD));
  const body = JSON.stringify({ type, timestamp: occurredAt, data: { jobId, ...told } });
  return { id, type, jobId, occurredAt: new Date(occurredAt), body };
}
