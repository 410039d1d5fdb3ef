import { isFinal } from '@maker/rules';
import type { OpenJob, PaymentAnswer } from '@maker/web-kit';

/** What is left for the payer to do. */
export type Transfer = { /** What the visitor chose, wei. */ readonly budgetWei: bigint } & (
  | {
      readonly state: 'due';
      /** Budget less what arrived or was seen in time: the amount that is shown and copied, so that nobody pays twice. Wei. */
      readonly dueWei: bigint;
      /** Until the deadline, ms, positive. */
      readonly leftMs: number;
    }
  | { readonly state: 'received' }
  /** Seen and not yet confirmed, or under way in a way that this page does not know: nothing is asked for, and nothing is forbidden. */
  | { readonly state: 'waiting' }
  /** Too late, failed or cancelled: nothing may be sent any more. */
  | { readonly state: 'over' }
);

/**
 * Judges what the payer still has to send.
 * @param payment undefined before the first answer @param nowMs the visitor's clock, ms
 */
export function transferOf(job: OpenJob, payment: PaymentAnswer | undefined, nowMs: number): Transfer {
  const budgetWei = BigInt(job.paymentAmountWei);
  if (payment?.paymentReceived) return { state: 'received', budgetWei };
  const leftMs = Date.parse(payment?.paymentDeadline ?? job.paymentDeadline) - nowMs;
  if (payment && payment.status !== 'pending_payment') {
    return { state: isFinal(payment.status) ? 'over' : 'waiting', budgetWei };
  }
  if (leftMs <= 0) return { state: 'over', budgetWei };
  const { receivedWei = '0', waitingWei = '0' } = payment ?? {};
  const dueWei = budgetWei - BigInt(receivedWei) - BigInt(waitingWei);
  return dueWei > 0n ? { state: 'due', budgetWei, dueWei, leftMs } : { state: 'waiting', budgetWei };
}
