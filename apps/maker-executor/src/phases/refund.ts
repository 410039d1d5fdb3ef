import { refundHeld, refundPaid } from '@maker/contracts';
import {
  ABSENT,
  addAttempt,
  addEntries,
  addReason,
  beginAttempts,
  DUST,
  expectedBalance,
  freeBalance,
  heldBalance,
  isCovered,
  isExhausted,
  isTooEarly,
  isUnexplained,
  MOST_UNEXPLAINED_RETURNS,
  type Refund,
  type Refunding,
  SENT_BACK,
  surplusForDue,
  type TransactionRecord,
} from '@maker/execution-records';
import type { AgreedRecipient } from '@maker/signing/agreement';
import { jobEvent } from '../session/decision.ts';
import type { Tick } from '../session/tick.ts';
import { mostTransferred, returnTransfer } from '../wallet/return-transfer.ts';
import { refundRecipient } from './prove-sender.ts';
import { check } from './reconcile.ts';
import { sendWhenRoom } from './send-when-room.ts';

/** Most refunds that one tick settles without a transfer: strangers can cause any number of them. */
export const MOST_SETTLED_AT_ONCE = 50;

/**
 * Refunds money that pays for no order: sends each refund once by its own transfer, less its gas, or holds it with a
 * reason. One transfer at a time. Ends the tick unless nothing is left to refund. Source: design § 4 'Amounts'.
 * @param isLate starts no further refund: strangers could send deposits faster than they are refunded
 */
export function refundDeposits(tick: Tick, isLate = false) {
  const { refunding } = tick.execution;
  if (tick.open.length > 0) return tick.wait('a transfer is under way');
  if (refunding && isTooEarly(refunding.attempts, tick.nowMs, false)) return tick.wait('the next attempt comes later');
  // The endpoint lags, or the wallet is stopped: the next tick decides.
  if (!check(tick) || tick.execution.driftWei !== 0n) return tick.wait('ledger and chain are not known to agree');
  if (refunding) return continueRefund(tick, refundBeingSent(tick, refunding), refunding);
  if (!isLate) settleDue(tick);
}

function refundBeingSent(tick: Tick, { id }: Refunding): Refund {
  const refund = tick.ask('refund', { id });
  if (refund?.state !== 'due') throw new Error(`The refund ${id} is being sent and is not due`);
  return refund;
}

/** Settles the refunds that need no transfer, such as dust, and starts the first one that needs a transfer. */
function settleDue(tick: Tick) {
  const due = tick.ask('refunds', { state: 'due', most: MOST_SETTLED_AT_ONCE });
  // The balance at this head does not include a deposit of a later block.
  const shown = due.filter(({ blockNumber }) => blockNumber <= tick.head.number);
  let surplusWei = due.length === 0 ? 0n : surplusForDue(tick.execution, tick.refundSums());
  let isProving = false;
  let isHidden: boolean | undefined;
  for (const refund of shown) {
    // Only one refund's sender is proven at a time.
    if (isProving && refund.sentBy) continue;
    if (!isCovered(refund, surplusWei, freeBalance(tick.execution.totals))) {
      isHidden ??= mayBeHidden(tick, refund);
      if (isHidden) return tick.wait('hosts report different balances');
      settleWithTheRest(tick, refund);
      continue;
    }
    const route = routeOf(tick, refund);
    if (route === 'waiting') {
      isProving = true;
      continue;
    }
    if (!('holdReason' in route)) return begin(tick, refund, route);
    hold(tick, refund, route.holdReason);
    surplusWei -= refund.amountWei;
  }
  if (isProving) tick.wait('the sender of a deposit is not proven yet');
  else if (shown.length < due.length) tick.wait('a refund waits for the block of its deposit');
  else if (due.length === MOST_SETTLED_AT_ONCE) tick.wait('further refunds are settled at the next block');
}

/** Whether a host shows a refund's money that is not in the ledger: the host that was asked first may hide it. */
function mayBeHidden(tick: Tick, { amountWei }: Refund): boolean {
  const bookedWei = expectedBalance(tick.execution.totals);
  const shown = tick.ask('balance', { expectedWei: bookedWei + amountWei });
  return shown === undefined || shown.balanceWei > bookedWei;
}

/** Returns a refund's recipient, or why it is held; `waiting` while its sender is not proven. */
function routeOf(tick: Tick, refund: Refund): ReturnType<typeof refundRecipient> {
  const { to } = refund;
  if (to === null) return refundRecipient(tick, refund);
  const isLoop = isUnexplained(refund) && tick.ask('unexplainedReturns', { to }) >= MOST_UNEXPLAINED_RETURNS;
  if (isLoop) return { holdReason: SENT_BACK };
  if (mostTransferred(refund.amountWei, tick.head.baseFeeWei) === undefined) return { holdReason: DUST };
  return refundRecipient(tick, refund);
}

function begin(tick: Tick, refund: Refund, to: AgreedRecipient) {
  const refunding = { id: refund.id, to: to.address, amountWei: refund.amountWei, attempts: beginAttempts(tick.nowMs) };
  tick.note('refund begins', { refunding });
  continueRefund(tick, refund, refunding);
}

function continueRefund(tick: Tick, refund: Refund, refunding: Refunding) {
  const { execution, head, nowMs } = tick;
  const tried = tick.signed(['refund'], refund.id);
  const done = tried.find(({ inclusion }) => inclusion?.succeeded);
  if (done) return complete(tick, refund, done);
  const { attempts } = refunding;
  // The refund's own money pays the gas of failed attempts: the rest of the wallet belongs to others.
  const leftWei = tried.reduce((left, { inclusion }) => left - (inclusion?.gasWei ?? 0n), refund.amountWei);
  const holdFor = (reason: string) => {
    hold(tick, refund, reason, leftWei);
    tick.wait(reason);
  };
  if (isExhausted(attempts)) return holdFor(attempts.refusal ?? 'the recipient reverted the return');
  const mostWei = mostTransferred(leftWei, head.baseFeeWei);
  if (mostWei === undefined) return holdFor(DUST);
  // Again for each attempt: the row with the recipient may have been changed since the first.
  const recipient = refundRecipient(tick, refund);
  if (recipient === 'waiting') return tick.wait('the sender of a deposit is not proven yet');
  if ('holdReason' in recipient) return holdFor(recipient.holdReason);
  const { address: to } = recipient;
  const gas = tick.ask('transferGas', { to, valueWei: mostWei });
  if ('refusal' in gas) {
    const refusal = `the recipient takes no HYPE: it ${gas.refusal}`;
    tick.note(refusal, {
      refunding: { ...refunding, amountWei: leftWei, attempts: addAttempt(attempts, nowMs, refusal) },
    });
    return tick.wait(refusal);
  }
  const transfer = returnTransfer(leftWei, BigInt(gas.gasLimit), head.baseFeeWei);
  if (!transfer) return holdFor(DUST);
  sendWhenRoom(
    tick,
    {
      id: `${execution.id}/refund/${refund.id}/${tried.length + 1}`,
      purpose: 'refund',
      refundId: refund.id,
      to,
      valueWei: transfer.valueWei,
      data: '0x',
      gasLimit: gas.gasLimit,
      ...transfer.fees,
    },
    { refunding: { ...refunding, to, amountWei: leftWei, attempts: addAttempt(attempts, nowMs) } },
  );
}

function complete(tick: Tick, refund: Refund, { to, inclusion }: TransactionRecord) {
  if (!inclusion) throw new Error(`The refund ${refund.id} has no block`);
  const returnedWei = inclusion.movedWei.toString();
  tick.add({
    kind: 'settleRefunds',
    reason: 'the refund is final',
    refunds: [refund],
    state: 'returned',
    change: { refunding: null },
    events: [
      jobEvent(refundPaid, {
        returnId: refund.id,
        amountWei: refund.amountWei.toString(),
        to,
        withTheRest: false,
        returnedWei,
        transactionHash: inclusion.hash,
      }),
    ],
    log: { level: 'info', message: 'deposit returned', fields: { refundId: refund.id, returnedWei } },
  });
  tick.wait('a refund is done');
}

/** @param leftWei the refund's amount less the gas of failed attempts */
function hold(tick: Tick, refund: Refund, reason: string, leftWei = refund.amountWei) {
  const { id: jobId, totals, heldReason } = tick.execution;
  const amountWei = refund.amountWei.toString();
  const entry = tick.entry(`${jobId}/refund/${refund.id}`, 'held', leftWei);
  tick.add({
    kind: 'settleRefunds',
    reason,
    refunds: [refund],
    state: 'held',
    holdReason: reason,
    entries: [entry],
    change: { refunding: null, totals: addEntries(totals, [entry]), heldReason: addReason(heldReason, reason) },
    events: [jobEvent(refundHeld, { returnId: refund.id, amountWei, reason })],
    log: { level: 'warn', message: 'deposit held', fields: { refundId: refund.id, amountWei, reason } },
  });
}

/** Settles a refund whose money the ledger has already booked: it was returned or held with the rest of the job. */
function settleWithTheRest(tick: Tick, refund: Refund) {
  const { heldReason, totals } = tick.execution;
  const rest = tick.signed(['return']).findLast(({ inclusion }) => inclusion?.succeeded);
  const amount = { returnId: refund.id, amountWei: refund.amountWei.toString() };
  const isAbsent = heldBalance(totals) < refund.amountWei;
  const event = rest?.inclusion
    ? jobEvent(refundPaid, { ...amount, to: rest.to, transactionHash: rest.inclusion.hash, withTheRest: true })
    : jobEvent(
        refundHeld,
        isAbsent ? { ...amount, reason: ABSENT, absent: true } : { ...amount, reason: heldReason ?? ABSENT },
      );
  tick.add({
    kind: 'settleRefunds',
    reason: 'its money left with the rest of the job',
    refunds: [refund],
    state: 'with_the_rest',
    events: [event],
  });
}
