import { surplusFound } from '@maker/contracts';
import {
  addEntries,
  addReason,
  type DustChecks,
  type Fact,
  NOT_SENT,
  ownBalance,
  type Refund,
  unexplainedDepositId,
  unexplainedSurplus,
} from '@maker/execution-records';
import { isDust } from '@maker/rules';
import { jobEvent } from '../session/decision.ts';
import { FORGOTTEN_AT_END } from '../session/session.ts';
import type { Tick } from '../session/tick.ts';
import { mostTransferred } from '../wallet/return-transfer.ts';
import { MOST_SETTLED_AT_ONCE, refundDeposits } from './refund.ts';

/** Blocks between the first two checks of an ended wallet for dust. The pause then doubles, up to ten minutes of blocks. */
const FIRST_PAUSE_BLOCKS = 5;
const LONGEST_PAUSE_BLOCKS = 600;

/** Blocks without a check after which the pauses start again from the first. */
const FORGOTTEN_AFTER_BLOCKS = 2 * LONGEST_PAUSE_BLOCKS;

/**
 * Settles money that came to the wallet of a job that ended or never ran: books it, sends the refunds that are due, and reports
 * unexplained money to the job service (moved inside contracts, credited by the system).
 */
export function settleEnded(tick: Tick, fact: Fact) {
  if (tick.open.length > 0) return tick.wait('a transfer is under way');
  if (!beginCheck(tick)) return tick.wait('the next check for dust comes later');
  refundDeposits(tick);
  const { execution, head } = tick;
  const surplusWei = unexplainedSurplus(execution, tick.refundSums());
  if (surplusWei <= 0n) {
    settleRest(tick);
    return tick.add({ kind: 'clearFact', reason: 'nothing is left to settle', fact, memory: FORGOTTEN_AT_END });
  }
  // payment-watcher, which knows the senders, may be far behind: wait for it.
  const atBlock = execution.surplusAtBlock ?? head.number;
  const refunds = tick.ask('depositsKnown', { atBlock });
  if (!refunds) return tick.wait('the money may still be explained');
  // The first read of the sums was before that answer.
  if (refunds.due !== tick.ask('refundSums', { exceptDueTo: null }).due)
    return tick.wait('a refund that explains the money has just come');
  report(tick, surplusWei, atBlock);
  tick.add({ kind: 'clearFact', reason: 'the money is reported', fact, memory: FORGOTTEN_AT_END });
}

/** Starts a check unless it is too early. A check costs requests, so dust is checked ever more rarely. Source: docs/threats.md. */
function beginCheck(tick: Tick): boolean {
  const { refunding, dustChecks } = tick.execution;
  const due = refunding === null ? tick.ask('refunds', { state: 'due', most: MOST_SETTLED_AT_ONCE }) : [];
  const isWorthIt = refunding !== null || due.some(({ amountWei }) => !isDust(amountWei));
  const atBlock = tick.head.number;
  const before = dustChecks && atBlock - dustChecks.atBlock < FORGOTTEN_AFTER_BLOCKS ? dustChecks : null;
  if (isWorthIt) {
    tick.note('check for money', { dustChecks: { atBlock, count: before?.count ?? 0 } });
    return true;
  }
  if (before && atBlock >= before.atBlock && atBlock - before.atBlock < pauseAfter(before)) return false;
  tick.note('check for dust', { dustChecks: { atBlock, count: (before?.count ?? 0) + 1 } });
  return true;
}

/** Returns the number of blocks between a check for dust and the next one. */
export function pauseAfter({ count }: Pick<DustChecks, 'count'>): number {
  return Math.min(LONGEST_PAUSE_BLOCKS, FIRST_PAUSE_BLOCKS * 2 ** Math.max(0, count - 1));
}

/**
 * Corrects the held amount of an ended job after all transactions that were open at its end have settled: money that stayed is
 * held, and held money that left is released. Source: design § 4 'Amounts', docs/adr/0028.
 */
function settleRest(tick: Tick) {
  const { id: jobId, totals, revision, heldReason } = tick.execution;
  const restWei = ownBalance(tick.execution, tick.refundSums());
  if (restWei >= 0n && mostTransferred(restWei, tick.head.baseFeeWei) === undefined) return;
  const kind = restWei > 0n ? 'held' : 'released';
  const amountWei = restWei > 0n ? restWei : -restWei;
  const entry = tick.entry(`${jobId}/settled/${revision}`, kind, amountWei);
  tick.add({
    kind: 'note',
    reason: 'held amount corrected',
    entries: [entry],
    change: {
      totals: addEntries(totals, [entry]),
      ...(kind === 'held' && { heldReason: addReason(heldReason, NOT_SENT) }),
    },
    log: { level: 'warn', message: 'held amount corrected', fields: { kind, amountWei: amountWei.toString() } },
  });
}

function report(tick: Tick, surplusWei: bigint, blockNumber: number) {
  const { id: jobId, walletAddress } = tick.execution;
  const depositId = unexplainedDepositId(walletAddress, tick.head.number);
  const placeholder: Refund = {
    id: depositId,
    jobId,
    depositIds: [depositId],
    amountWei: surplusWei,
    to: null,
    holdReason: null,
    blockNumber,
    state: 'reported',
    recordedAt: tick.recordedAt,
  };
  const amountWei = surplusWei.toString();
  tick.add({
    kind: 'reportSurplus',
    reason: 'no deposit explains the money',
    placeholder,
    events: [
      jobEvent(surplusFound, { depositId, amountWei, blockNumber, blockAt: new Date(tick.nowMs).toISOString() }),
    ],
    log: { level: 'warn', message: 'unexplained money reported', fields: { surplusWei: amountWei } },
  });
}
