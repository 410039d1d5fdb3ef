import type { z } from 'zod';
import type { EventContract } from '../events/event.ts';
import {
  executionCompleted,
  executionFailed,
  executionPaused,
  executionResumed,
  executionStarted,
  ordersMined,
  transferSettled,
} from '../events/execution-events.ts';
import { jobActivated, jobCancelRequested, jobCreated, jobStatusChanged } from '../events/job-events.ts';
import {
  paymentDropped,
  paymentReceived,
  paymentSeen,
  paymentSeenOnHyperCore,
  paymentTokensFound,
  surplusFound,
} from '../events/payment-events.ts';
import { fundsReleased, refundDue, refundHeld, refundPaid } from '../events/refund-events.ts';
import type { EventSource } from './subjects.ts';

/** A kind of event that webhook-sender sends to endpoints, and the service that records it. */
export interface WebhookEvent {
  readonly source: EventSource;
  readonly contract: EventContract<string, z.ZodObject>;
  /** What has happened, in a sentence. */
  readonly summary: string;
}

const from = (source: EventSource, ...events: (readonly [WebhookEvent['contract'], string])[]): WebhookEvent[] =>
  events.map(([contract, summary]) => ({ source, contract, summary }));

/**
 * Every change of a job and of its money. Two events change neither and are left out: a passed deadline, and the command of an
 * operator. Webhooks tell what follows from both.
 */
export const WEBHOOK_EVENTS: readonly WebhookEvent[] = [
  ...from(
    'job',
    [jobCreated, 'A job was created and waits for its payment.'],
    [jobActivated, 'Enough arrived in time; the job trades.'],
    [jobStatusChanged, 'The status of the job changed.'],
    [jobCancelRequested, 'An operator or the payer ends an active job.'],
    [refundDue, 'Money arrived that pays for no order; it goes back or is held.'],
  ),
  ...from(
    'payment-watcher',
    [paymentSeen, 'Money is in a block and waits for its confirmation.'],
    [paymentReceived, 'Money arrived and is confirmed.'],
    [paymentDropped, 'A credited deposit left the chain.'],
    [paymentSeenOnHyperCore, 'HYPE was found at the address on HyperCore.'],
    [paymentTokensFound, 'Tokens were found at the address, or are gone from it.'],
  ),
  ...from(
    'maker-executor',
    [executionStarted, 'The execution began and its fee is on the way.'],
    [ordersMined, 'Orders of the job were mined in a block.'],
    [executionPaused, 'The job waits.'],
    [executionResumed, 'The job goes on.'],
    [executionCompleted, 'All orders are done, tokens delivered and the rest returned.'],
    [executionFailed, 'No further order is possible; tokens are delivered and the rest returned.'],
    [transferSettled, 'A fee, delivery or return is final.'],
    [surplusFound, 'The wallet holds more than was reported.'],
    [refundPaid, 'The money of a refund left the wallet.'],
    [refundHeld, 'The money of a refund waits for an operator.'],
    [fundsReleased, 'An operator released held money.'],
  ),
];

/** Fields of events that webhooks leave out: with the xpub an index names every other wallet too, and proofs are for maker-executor. */
export const WITHHELD_FROM_WEBHOOKS: readonly string[] = ['walletIndex', 'stopCommitments', 'stopProof', 'commandedBy'];
