import { executionCompleted, executionFailed, refundHeld, refundPaid } from '@maker/contracts';
import {
  addEntries,
  addReason,
  DUST,
  type Execution,
  type ExecutionChange,
  type ExecutionPhase,
  expectedBalance,
  type FactKind,
  freeBalance,
  gasPaid,
  type LedgerEntry,
  latestEnding,
  mostTaken,
  ownBalance,
  TOO_LATE,
  type TransactionRecord,
  unexplainedSurplus,
  writeOff,
} from '@maker/execution-records';
import { formatHype, larger } from '@maker/rules';
import { type JobEvent, jobEvent } from '../session/decision.ts';
import { FORGOTTEN_AT_END } from '../session/session.ts';
import type { Tick } from '../session/tick.ts';
import { mostTransferred } from '../wallet/return-transfer.ts';

/** Further effects of an end. */
interface EndMore {
  readonly entries?: readonly LedgerEntry[];
  /** With `totals` after these entries. */
  readonly change?: ExecutionChange;
  /** Most that open transactions may still take from the wallet, wei: it is not held. */
  readonly underWayWei?: bigint;
  /** Facts that keep the wallet's owner at work after the end. */
  readonly newFacts?: readonly FactKind[];
}

/**
 * Ends an execution: checks the sums, books held money, and informs the job service.
 * @param heldReason why the remaining money is held for an operator; null if nothing but dust is left
 */
export function end(
  tick: Tick,
  heldReason: string | null,
  { entries: before = [], change = {}, underWayWei = 0n, newFacts = [] }: EndMore = {},
): never {
  tick.ask('ledgerAddsUp', {});
  const execution: Execution = { ...tick.execution, ...change };
  const sums = tick.refundSums();
  // Money of due refunds stays free: they are sent after the end.
  const restWei = larger(0n, ownBalance(execution, sums) - underWayWei);
  const held = tick.entry(endId(execution), 'held', heldReason === null ? 0n : restWei);
  const entries = [...before, ...(held.amountWei === 0n ? [] : [held])];
  const endedAt = new Date(tick.nowMs);
  const ended: Execution = {
    ...execution,
    totals: addEntries(tick.execution.totals, entries),
    heldReason: heldReason === null ? execution.heldReason : addReason(execution.heldReason, heldReason),
    absorbedWei: execution.absorbedWei + larger(0n, unexplainedSurplus(execution, sums)),
    phase: endPhase(execution),
    attempts: null,
    endedAt,
  };
  const { totals, absorbedWei, phase } = ended;
  settleReleased(tick, ended, heldReason);
  const fields = { ending: ended.ending?.kind, orders: ended.ordersPlaced };
  tick.finish({
    kind: 'end',
    reason: heldReason ?? 'nothing is left to do',
    endedAt,
    newFacts: [...new Set([...newFacts, ...(sums.due > 0n ? (['settle'] as const) : [])])],
    entries,
    change: { ...change, totals, heldReason: ended.heldReason, absorbedWei, phase, attempts: null, endedAt },
    events: ended.releasedAt === null ? [endEvent(ended)] : [],
    memory: FORGOTTEN_AT_END,
    log: ended.heldReason
      ? { level: 'error', message: 'execution ended, money held', fields: { ...fields, heldReason: ended.heldReason } }
      : { level: 'info', message: 'execution ended', fields },
  });
}

/**
 * Ends a job at its published latest end, for example while a transaction is in no block, gas is too expensive, or an operator
 * paused the job. Open transactions are still tracked; the remaining money is held. Source: design § 4 'End'.
 */
export function endLate(tick: Tick) {
  const { execution, open, head } = tick;
  const { totals, attempts } = execution;
  // An open refund takes only money that is already kept free for it.
  const own = open.filter(({ purpose }) => purpose !== 'refund');
  const underWayWei = own.reduce((sum, transaction) => sum + mostTaken(transaction), 0n);
  const isLeft = mostTransferred(freeBalance(totals) - underWayWei, head.baseFeeWei) !== undefined;
  const isHeld = isLeft || totals.boughtWei > totals.deliveredWei;
  const ending = latestEnding(execution);
  tick.resume();
  end(tick, isHeld ? (attempts?.refusal ?? TOO_LATE) : null, {
    change: { ending },
    newFacts: open.length > 0 ? ['settle'] : [],
    underWayWei,
  });
}

/**
 * Ends a job with a stopped wallet that was cancelled or reached its latest end. Nothing is sent while the chain contradicts the
 * ledger: missing money is booked as missing, and remaining money is held.
 */
export function endStopped(tick: Tick) {
  const { execution, open } = tick;
  const balance = tick.ask('balance', { expectedWei: expectedBalance(execution.totals) });
  if (balance === undefined) return tick.wait('the endpoint lags');
  const { missingWei, entries, change } = writeOff(execution, balance.balanceWei, tick.recordedAt);
  const when = execution.cancelled ? 'when the job was cancelled' : 'at the latest end that was published';
  const reason =
    missingWei > 0n
      ? `the chain shows ${formatHype(missingWei)} HYPE less than the ledger`
      : `ledger and chain did not agree ${when}`;
  const recheck = tick.fact('recheck');
  // Signed transactions that are in no block may still be mined once the wallet has money, so they are tracked further.
  if (recheck && open.length === 0)
    tick.add({ kind: 'clearFact', reason: 'the job ends in its present state', fact: recheck });
  end(tick, reason, {
    entries,
    change: { ...change, paused: null, ending: latestEnding(execution) },
    newFacts: open.length > 0 ? ['settle', 'recheck'] : [],
  });
}

/** Settles refunds that an operator had released, and reports whether they were returned or held. */
function settleReleased(tick: Tick, ended: Execution, heldReason: string | null) {
  if (ended.releasedAt === null) return;
  const released = tick.ask('refunds', { state: 'released' });
  if (released.length === 0) return;
  const { returnAddress } = ended;
  const done = tick.signed(['return']).findLast((one) => one.inclusion?.succeeded && isSince(one, ended));
  const isReturned = heldReason === null && done?.inclusion && returnAddress;
  const reason = heldReason ?? DUST;
  tick.add({
    kind: 'settleRefunds',
    reason: isReturned ? 'returned with the rest' : reason,
    refunds: released,
    state: isReturned ? 'returned' : 'held',
    ...(!isReturned && { holdReason: reason }),
    events: released.map(({ id: returnId, amountWei }) => {
      const amount = { returnId, amountWei: amountWei.toString() };
      return isReturned
        ? jobEvent(refundPaid, {
            ...amount,
            to: returnAddress,
            transactionHash: done.inclusion.hash,
            withTheRest: true,
          })
        : jobEvent(refundHeld, { ...amount, reason });
    }),
  });
}

function endEvent({ totals, ending, ordersPlaced, heldReason }: Execution): JobEvent {
  const returnedWei = totals.returnedWei.toString();
  if (ending && ending.kind !== 'completed') {
    const { kind: reason, message } = ending;
    return jobEvent(executionFailed, { reason, message, ordersPlaced, returnedWei });
  }
  return jobEvent(executionCompleted, {
    ordersPlaced,
    returnedWei,
    tradedWei: totals.orderWei.toString(),
    gasWei: gasPaid(totals).toString(),
    feeWei: totals.feeWei.toString(),
    deliveredTokens: totals.deliveredWei.toString(),
    ...(heldReason !== null && { heldReason }),
  });
}

/** Whether a transaction is of the last release by an operator, or of an execution without a release. */
function isSince({ createdAt }: TransactionRecord, { releasedAt }: Execution): boolean {
  return releasedAt === null || createdAt >= releasedAt;
}

/** Returns the id of an end in the ledger: an execution ends again after each release of held money. */
function endId({ id, releasedAt }: Execution): string {
  return releasedAt === null ? id : `${id}/released/${releasedAt.getTime()}`;
}

function endPhase({ ending, depositWei }: Execution): ExecutionPhase {
  if (depositWei === 0n) return 'never_ran';
  return ending?.kind === 'completed' ? 'completed' : 'failed';
}
