import { isFinal } from '@maker/rules';
import type { OpenJob, PaymentAnswer } from '@maker/web-kit';

/** The payer's next step. */
export type Transfer = { /** The visitor's budget, wei. */ readonly budgetWei: bigint } & (
  | {
      readonly state: 'due';
      /** Budget less the amount that arrived or was seen in time. The page shows and copies it, so that no payer pays twice. Wei. */
      readonly dueWei: bigint;
      /** Time until the deadline, ms, positive. */
      readonly leftMs: number;
    }
  | { readonly state: 'received' }
  /** Seen and not yet confirmed, or in a status unknown to this page: the page neither requests nor forbids a payment. */
  | { readonly state: 'waiting' }
  /** Too late, failed or cancelled: the payer must send nothing more. */
  | { readonly state: 'over' }
);

/**
 * Decides what the payer still has to send.
 * @param payment undefined before the first answer @param nowMs the server's time, ms
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
