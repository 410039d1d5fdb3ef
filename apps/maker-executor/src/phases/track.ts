import { ordersMined, transferSettled } from '@maker/contracts';
import {
  currentAttempt,
  type Execution,
  expectedBalance,
  type FinalTransaction,
  ownBalanceWithHeld,
  type TransactionRecord,
} from '@maker/execution-records';
import { larger } from '@maker/rules';
import { AgreedRecipient } from '@maker/signing/agreement';
import { isAddressEqual } from 'viem';
import { type JobEvent, jobEvent } from '../session/decision.ts';
import { unconfirmed } from '../session/session.ts';
import type { Tick } from '../session/tick.ts';

import { type Booking, bookTransactions } from '../tracking/book-transactions.ts';
import { isFinal } from '../tracking/inclusion.ts';
import type { Settled } from '../tracking/receipt-finder.ts';
import { replacementOf, STUCK_AFTER_BLOCKS } from '../wallet/replacement.ts';
import { refundRecipient } from './prove-sender.ts';

/**
 * Tracks the wallet's open transactions: finds them in blocks, books final ones, and sends the bytes of those that are in no
 * block again. After a restart this includes all open transactions of the database. Source: design § 5.
 */
export function track(tick: Tick) {
  if (tick.open.length === 0) return;
  settle(tick);
  sendAgain(tick);
}

const NOT_SETTLED: Settled = { standing: [], lost: [] };

function settle(tick: Tick) {
  const isDeep = ({ inclusion }: Pick<FinalTransaction, 'inclusion'>) =>
    isFinal(inclusion, tick.head.number, tick.rules.confirmations);
  const waiting = unconfirmed(tick.open);
  const found = waiting.length === 0 ? [] : tick.ask('inclusions', { transactions: waiting });
  const mined = tick.open.flatMap((transaction) => {
    const { state, inclusion } = transaction;
    return state === 'mined' && inclusion && isDeep({ inclusion }) ? [{ transaction, inclusion }] : [];
  });
  const { standing, lost: gone } = mined.length === 0 ? NOT_SETTLED : tick.ask('settled', { finals: mined });
  const lost = mined.flatMap(({ transaction }) => (gone.includes(transaction.id) ? [transaction] : []));
  const deep = mined.filter(({ transaction }) => standing.includes(transaction.id));
  const finals = [...deep, ...found.filter((one) => isDeep(one) && !one.isUnconfirmed)].sort(
    (one, other) => one.transaction.nonce - other.transaction.nonce,
  );
  if (found.length === 0 && finals.length === 0 && lost.length === 0) return;
  const booking = bookTransactions(tick.execution, finals, tick.recordedAt);
  tick.add({
    kind: 'track',
    reason: `${found.length} mined, ${finals.length} final, ${lost.length} reorganised away`,
    found,
    finals,
    lost,
    booking,
    change: booking.change,
    entries: booking.entries,
    events: [...orderEvents(tick.execution, booking), ...finals.flatMap(transferEvent)],
    memory: { broadcasts: without(tick, found) },
    ...(lost.length > 0 && {
      log: { level: 'warn', message: 'mined transactions reorganised away', fields: { count: lost.length } },
    }),
  });
}

/** Returns the remembered broadcasts without those of some transactions. */
export function without(tick: Tick, found: readonly FinalTransaction[]): Tick['memory']['broadcasts'] {
  const ids = new Set(found.map(({ transaction }) => transaction.id));
  return Object.fromEntries(Object.entries(tick.memory.broadcasts).filter(([id]) => !ids.has(id)));
}

function sendAgain(tick: Tick) {
  const again: TransactionRecord[] = [];
  const waiting = unconfirmed(tick.open);
  for (const transaction of waiting) {
    const broadcast = tick.memory.broadcasts[transaction.id];
    const sentAt = broadcast?.atBlock ?? null;
    if (sentAt !== null && tick.head.number - sentAt < STUCK_AFTER_BLOCKS) continue;
    const answer = broadcast?.hash === currentAttempt(transaction).hash ? broadcast.answer : undefined;
    const replacement = replacementOf(transaction, {
      baseFeeWei: tick.head.baseFeeWei,
      tipWei: tick.head.tipWei,
      isStarved: answer === 'known',
      refusedAsUnderpriced: answer === 'underpriced',
      isUnwanted: isUnwanted(transaction, tick),
      // The limit of later ones depends on the cost of this one.
      mostWei: transaction === waiting[0] ? mostPayable(transaction, tick) : undefined,
    });
    if (!replacement || !mayReplace(tick, transaction)) again.push(transaction);
    else tick.add({ kind: 'replace', reason: 'stuck in the mempool', transaction, replacement });
  }
  if (again.length > 0) tick.add({ kind: 'resend', reason: 'in no block yet', transactions: again });
}

/** Whether other bytes of a refund may be signed: its recipient is verified again, as for the first ones. */
function mayReplace(tick: Tick, { purpose, refundId: id, to }: TransactionRecord): boolean {
  if (purpose !== 'refund') return true;
  const refund = id === undefined ? undefined : tick.ask('refund', { id });
  const recipient = refund && refundRecipient(tick, refund);
  return recipient instanceof AgreedRecipient && isAddressEqual(recipient.address, to);
}

/** Whether an order is no longer wanted: its job is cancelled, or it would revert because it expired. */
function isUnwanted({ purpose, terms }: TransactionRecord, { execution, nowMs }: Tick): boolean {
  if (purpose !== 'order') return false;
  return execution.cancelled || terms === undefined || nowMs > terms.expiresAt.getTime();
}

/**
 * Returns the most that a transaction may take from its wallet once those before it are in blocks, gas included, wei. Those may
 * cost more than at its signature: after a reorganisation they were mined again at a higher base fee.
 */
function mostPayable({ purpose }: TransactionRecord, tick: Tick): bigint {
  const { execution, open } = tick;
  const takenWei = open.reduce(
    (sum, { inclusion }) => sum + (inclusion ? inclusion.movedWei + inclusion.gasWei : 0n),
    0n,
  );
  // Only a return takes all of the job's own money; it leaves the money of refunds.
  const allWei =
    purpose === 'return' ? ownBalanceWithHeld(execution, tick.refundSums()) : expectedBalance(execution.totals);
  return larger(0n, allWei - takenWei);
}

function orderEvents({ nextOrderAtMs }: Execution, { change, orderBlocks }: Booking): readonly JobEvent[] {
  const { totals, ordersPlaced } = change;
  return orderBlocks.map(({ blockNumber, succeeded }) =>
    jobEvent(ordersMined, {
      blockNumber,
      minedInBlock: succeeded,
      ordersPlaced,
      tradedWei: totals.orderWei.toString(),
      tokensBought: totals.boughtWei.toString(),
      ...(nextOrderAtMs !== null && { nextOrderAt: new Date(nextOrderAtMs).toISOString() }),
    }),
  );
}

function transferEvent({ transaction, inclusion }: FinalTransaction): readonly JobEvent[] {
  const { purpose, to } = transaction;
  if (purpose === 'order') return [];
  return [
    jobEvent(transferSettled, {
      kind: purpose === 'refund' ? 'return' : purpose,
      to,
      succeeded: inclusion.succeeded,
      transactionHash: inclusion.hash,
      amount: (purpose === 'delivery' ? inclusion.sentTokens : inclusion.movedWei).toString(),
      gasWei: inclusion.gasWei.toString(),
      blockNumber: inclusion.blockNumber,
    }),
  ];
}
