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
import type { EventSource } from './event-log.ts';

/** A kind of event that webhook-sender sends to endpoints, and the service that records it. */
export interface WebhookEvent {
  readonly source: EventSource;
  readonly contract: EventContract<string, z.ZodObject>;
  /** What happened, in a sentence. */
  readonly summary: string;
}

const from = (source: EventSource, ...events: (readonly [WebhookEvent['contract'], string])[]): WebhookEvent[] =>
  events.map(([contract, summary]) => ({ source, contract, summary }));

/**
 * Every change of a job and of its money. Two events change neither and are left out: a passed deadline, and an operator's
 * command. Webhooks report the events that follow from them.
 */
export const WEBHOOK_EVENTS: readonly WebhookEvent[] = [
  ...from(
    'job',
    [jobCreated, 'A job was created and waits for its payment.'],
    [jobActivated, 'Enough money arrived in time; the job trades.'],
    [jobStatusChanged, 'The status of the job changed.'],
    [jobCancelRequested, 'An operator or the payer ends an active job.'],
    [refundDue, 'Money arrived that pays for no order; it is returned or held.'],
  ),
  ...from(
    'payment-watcher',
    [paymentSeen, 'Money is in a block and waits for its confirmation.'],
    [paymentReceived, 'Money arrived and is confirmed.'],
    [paymentDropped, 'A credited deposit left the chain.'],
    [paymentSeenOnHyperCore, 'HYPE was found at the address on HyperCore.'],
    [paymentTokensFound, 'Tokens were found at the address, or have left it.'],
  ),
  ...from(
    'maker-executor',
    [executionStarted, 'The execution began and its fee is on the way.'],
    [ordersMined, 'Orders of the job were mined in a block.'],
    [executionPaused, 'The job paused.'],
    [executionResumed, 'The job continues after a pause.'],
    [executionCompleted, 'All orders are done, the tokens delivered and the rest returned.'],
    [executionFailed, 'No further order is possible; the tokens are delivered and the rest is returned.'],
    [transferSettled, 'A fee, delivery or return is final.'],
    [surplusFound, 'The wallet holds more than the reported deposits.'],
    [refundPaid, 'A refund left the wallet.'],
    [refundHeld, 'A refund is held for an operator.'],
    [fundsReleased, 'An operator released held money.'],
  ),
];

/** Fields of events that webhooks leave out: an index and the xpub reveal every wallet, and proofs are for maker-executor only. */
export const WITHHELD_FROM_WEBHOOKS: readonly string[] = ['walletIndex', 'stopCommitments', 'stopProof', 'commandedBy'];

/** Events that an endpoint receives only if it names them: a job of 0.25 HYPE has about 190 of them. */
export const WEBHOOKS_ONLY_IF_NAMED: readonly string[] = [ordersMined.type];
