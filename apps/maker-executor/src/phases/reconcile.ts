import { addEntries, compareBalances, expectedBalance } from '@maker/execution-records';
import { isDisputed, missedAt } from '../session/session.ts';
import type { Tick } from '../session/tick.ts';

/** Blocks between two checks of a wallet whose ledger and chain differ. */
const DRIFT_CHECK_BLOCKS = 5;

/** Blocks in which open transactions should settle and explain a difference. */
const DOUBT_BLOCKS = 10;

/** Number of intervals between checks after which a wallet without a successful check sends nothing new. */
const OVERDUE_CHECKS = 5;

/** Whether a comparison of ledger and chain is due at this block. Source: design § 5. */
export function isCheckDue({ execution, memory, head, view, rules }: Tick): boolean {
  if (execution.driftWei !== 0n) return head.number - memory.checkedAtBlock >= DRIFT_CHECK_BLOCKS;
  return execution.phase !== 'fee' && view.steadyMs - memory.checkedAtMs >= rules.reconcileMs;
}

/** Compares a wallet if a check is due; one with a drift is checked more often. */
export function checkWhenDue(tick: Tick) {
  if (!isCheckDue(tick)) return;
  if (tick.open.length === 0) check(tick);
  else checkAmidTransactions(tick);
}

/** Whether nothing new may be sent: the last check found a difference, or no check was possible for long. */
export function isInDoubt({ memory, view, rules }: Tick): boolean {
  const missedForMs = view.steadyMs - (memory.checkMissedSinceMs ?? Number.POSITIVE_INFINITY);
  return memory.doubted !== null || missedForMs >= OVERDUE_CHECKS * rules.reconcileMs;
}

/**
 * Compares the ledger with the chain while the wallet has no open transaction. Books additional money; missing money stops
 * the wallet.
 * @returns false if the endpoint lags behind the head or behind our transactions, so that no comparison was possible
 */
export function check(tick: Tick): boolean {
  tick.note('balance check', {}, { checkedAtBlock: tick.head.number });
  const expectedWei = expectedBalance(tick.execution.totals);
  const reading = tick.ask('balance', { expectedWei });
  if (reading === undefined) return false;
  const expected = (tick.session.highestNonce ?? -1) + 1;
  const foreignNonces = expected === 0 ? 0n : BigInt(tick.ask('usedNonces', { expected }) - expected);
  // The endpoint lags, or a reorganisation removed our transactions, which another check finds.
  if (foreignNonces < 0n) return false;
  tick.note('balance compared', {}, settled(tick));
  const result = compareBalances(expectedWei, reading.balanceWei);
  // A nonce that another process used stops the wallet like missing money: each counts as one wei, as the amount is unknown.
  if (result.kind === 'equal') setDrift(tick, -foreignNonces);
  else if (result.kind === 'missing') {
    tick.add({ kind: 'note', reason: 'balance below the ledger', drift: 'missing' });
    setDrift(tick, -result.missingWei);
  } else bookSurplus(tick, result.surplusWei, reading.blockNumber);
  return true;
}

/**
 * Compares while transactions are open, so that a wallet that always has some is checked too. It needs a balance of this very
 * head, because every block up to the head was searched for the wallet's transactions. Missing money stops new transactions. If
 * the open ones do not explain it in time, the wallet is stopped.
 */
function checkAmidTransactions(tick: Tick) {
  const reading = tick.ask('balance', {});
  const { head, memory } = tick;
  if (reading?.blockNumber !== head.number) {
    tick.note('balance of another block', {}, { checkMissedSinceMs: memory.checkMissedSinceMs ?? tick.view.steadyMs });
    return;
  }
  const left = tick.open.reduce(
    (sum, { inclusion }) => (inclusion ? sum - inclusion.movedWei - inclusion.gasWei : sum),
    expectedBalance(tick.execution.totals),
  );
  const result = compareBalances(left, reading.balanceWei);
  if (result.kind !== 'missing') {
    tick.note('balance compared', {}, { ...settled(tick), checkedAtBlock: head.number });
    // A surplus is booked once no transaction is open. Strangers can send money at any time, so it is no reason to wait.
    if (result.kind === 'equal') setDrift(tick, 0n);
    return;
  }
  const doubted = missedAt(memory.doubted, head.number);
  tick.note('balance differs amid transactions', {}, { checkedAtBlock: head.number, doubted });
  if (head.number - doubted.sinceBlock < DOUBT_BLOCKS || isDisputed(tick.open, head, tick.rules.confirmations)) return;
  const confirmed = tick.ask('balance', { expectedWei: left });
  if (confirmed?.blockNumber !== head.number || confirmed.balanceWei >= left) return;
  tick.add({ kind: 'note', reason: 'balance below the ledger', drift: 'missing' });
  setDrift(tick, -result.missingWei);
}

function settled({ view }: Tick) {
  return { checkedAtMs: view.steadyMs, doubted: null, checkMissedSinceMs: null };
}

function setDrift(tick: Tick, driftWei: bigint) {
  const { driftWei: before, walletAddress } = tick.execution;
  if (before === driftWei) return;
  const fields = { walletAddress, driftWei: driftWei.toString() };
  tick.add({
    kind: 'note',
    reason: 'drift changed',
    change: { driftWei },
    log:
      driftWei === 0n
        ? { level: 'info', message: 'ledger and chain agree again, wallet released', fields }
        : { level: 'error', message: 'chain shows less than the ledger, wallet stopped', fields },
  });
}

function bookSurplus(tick: Tick, surplusWei: bigint, blockNumber: number) {
  const { id: jobId, revision, totals } = tick.execution;
  const entry = tick.entry(`${jobId}/${revision}`, 'surplus', surplusWei, blockNumber);
  tick.add({
    kind: 'note',
    reason: 'unexpected money booked',
    drift: 'surplus',
    entries: [entry],
    change: { totals: addEntries(totals, [entry]), driftWei: 0n, surplusAtBlock: blockNumber },
    log: { level: 'info', message: 'unexpected money booked', fields: { surplusWei: surplusWei.toString() } },
  });
}
