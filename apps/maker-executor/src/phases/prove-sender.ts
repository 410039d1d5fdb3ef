import { PAYER_REFUTED, type Refund, type TransferClaim, UNPROVEN } from '@maker/execution-records';
import { AgreedRecipient, agreedDeadline, NO_RECIPIENT, type NoRecipient } from '@maker/signing/agreement';
import type { Tick } from '../session/tick.ts';
import { end } from './end.ts';

/**
 * Makes the payer the return address once the chain proves the payment, before the first transaction. If the chain refutes the payment, the
 * job ends without a fee and the money is held. With only one untrusted endpoint, the job has no return address. Source: docs/adr/0075.
 * @returns whether the payment came after the agreed deadline, by the time of its block on our hosts
 */
export function provePayer(tick: Tick): 'late' | undefined {
  const { payerClaim, depositWei } = tick.execution;
  if (!payerClaim || payerClaim.isProven) return;
  const { payer, transfers } = payerClaim;
  const verdict = sumOf(transfers) === depositWei ? tick.ask('sender', { sender: payer, transfers }) : 'refuted';
  if (verdict === 'waiting') return tick.wait('the payer is not proven yet');
  if (verdict === 'refuted')
    return end(tick, PAYER_REFUTED, { change: { ending: { kind: 'technical', message: PAYER_REFUTED } } });
  if (verdict === 'unprovable') return;
  const timeMs = agreedDeadline(tick.execution, tick.rules.trust);
  // Before the deadline, no block can be after it.
  const isLate = tick.nowMs > timeMs && tick.ask('minedAfter', { sender: payer, transfers, timeMs });
  if (isLate === undefined) return tick.wait('the time of the payment is not known yet');
  tick.note('the payer is proven', { returnAddress: payer, payerClaim: { ...payerClaim, isProven: true } });
  return isLate ? 'late' : undefined;
}

/**
 * The recipient of a refund: the return address that the visitor agreed, or the sender of its deposits, which the chain proves now.
 * @returns why it is held; `waiting` while the sender is not proven
 */
export function refundRecipient(
  tick: Tick,
  { to, sentBy, amountWei, depositIds, holdReason }: Refund,
): AgreedRecipient | NoRecipient | 'waiting' {
  if (to === null) return { holdReason: holdReason ?? NO_RECIPIENT };
  if (!sentBy) return AgreedRecipient.ofRefund(tick.execution, to, tick.rules.trust);
  const wallet = tick.execution.walletAddress.toLowerCase();
  const named = new Set(sentBy.map(({ transactionHash }) => `${wallet}:${transactionHash}`));
  const isOfDeposits = depositIds.length === named.size && depositIds.every((depositId) => named.has(depositId));
  if (!isOfDeposits || sumOf(sentBy) !== amountWei || isSpent(tick, sentBy)) return { holdReason: UNPROVEN };
  const verdict = tick.ask('sender', { sender: to, transfers: sentBy });
  if (verdict === 'waiting') return 'waiting';
  if (verdict !== 'proven' || tick.ask('returnedBefore', { depositIds })) return { holdReason: UNPROVEN };
  return AgreedRecipient.ofSender(to, verdict);
}

/** Whether one of the transfers paid for the job, so that it cannot be refunded. */
function isSpent({ execution }: Tick, transfers: readonly TransferClaim[]): boolean {
  const paid = new Set(execution.payerClaim?.transfers.map(({ transactionHash }) => transactionHash));
  return transfers.some(({ transactionHash }) => paid.has(transactionHash));
}

function sumOf(transfers: readonly TransferClaim[]): bigint {
  return transfers.reduce((sum, { amountWei }) => sum + amountWei, 0n);
}
