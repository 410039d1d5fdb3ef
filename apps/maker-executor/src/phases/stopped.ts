import { isActivePhase } from '@maker/execution-records';
import type { Tick } from '../session/tick.ts';
import { reverseBooking } from '../tracking/book-transactions.ts';
import { endStopped } from './end.ts';
import { check } from './reconcile.ts';
import { without } from './track.ts';

/** Blocks within which transactions that lost their block should be mined again. */
const REMINED_WITHIN_BLOCKS = 30;

/**
 * After a reorganisation, opens final transactions again whose blocks have left the chain, and reverses their bookings. Their
 * bytes are sent until they are in a block again. Nothing is signed until all of them are final again and ledger and chain
 * agree. Source: docs/adr/0019.
 */
export function settleReorganisation(tick: Tick) {
  const fact = tick.fact('recheck');
  if (!fact) return;
  const found = tick.ask('lostTransactions', {});
  const lost = found?.lost ?? [];
  if (found && lost.length > 0) {
    const { entries, change } = reverseBooking(tick.execution, found, tick.recordedAt);
    tick.add({
      kind: 'reopen',
      reason: 'final transactions have left the chain',
      lost,
      entries,
      change,
      memory: { broadcasts: without(tick, lost) },
      log: {
        level: 'error',
        message: 'final transactions left the chain, bookings reversed',
        fields: { transactions: lost.map(({ transaction }) => transaction.id) },
      },
    });
  }
  if (!found || lost.length > 0 || tick.open.length > 0) return stop(tick);
  tick.add({ kind: 'clearFact', reason: 'all final transactions stand', fact });
  check(tick);
}

/**
 * Signs nothing, because ledger and chain differ, and ends the tick. A job that is cancelled or past its published end is ended
 * in its present state, unless its transactions may soon be in blocks again.
 */
export function stop(tick: Tick) {
  const { execution, open, head, nowMs, memory } = tick;
  const isActive = isActivePhase(execution.phase);
  // The missing money is booked as such. Only transactions signed for that money are open, and the job has ended.
  if (!isActive && execution.driftWei === 0n) return tick.wait('signed transactions wait for missing money');
  const since = memory.stoppedSinceBlock ?? head.number;
  tick.note('the wallet is stopped', {}, { stoppedSinceBlock: since });
  tick.pause('ledger_drift');
  const patience = open.length > 0 ? REMINED_WITHIN_BLOCKS : 0;
  const isTimeOver = execution.cancelled || nowMs >= execution.plan.latestEndAt.getTime();
  if (isActive && isTimeOver && head.number - since >= patience) return endStopped(tick);
  tick.wait('ledger and chain differ');
}
