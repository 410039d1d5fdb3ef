import type { ExecutionChange, PlannedTransaction } from '@maker/execution-records';
import type { Tick } from '../session/tick.ts';

/** Longest time that a transfer waits for room in the minute's gas, ms: a share may be smaller than one transaction's gas. */
const LONGEST_WAIT_MS = 60_000;

/** Sends a transfer once the minute's gas has room for it, and ends the tick. Source: docs/adr/0033. */
export function sendWhenRoom(tick: Tick, transaction: PlannedTransaction, change: ExecutionChange = {}) {
  const { execution, nowMs, memory } = tick;
  const { gasLimit, purpose } = transaction;
  const hasRoom = execution.plan.minuteGas === undefined || tick.claim('room', { gasLimit, count: 1 }) > 0;
  const since = memory.roomMissedSinceMs ?? nowMs;
  const noRoomAtMs = hasRoom ? null : nowMs;
  if (!hasRoom && nowMs - since < LONGEST_WAIT_MS)
    return tick.wait('no room in the gas of the minute', { roomMissedSinceMs: since, noRoomAtMs });
  tick.add({
    kind: 'send',
    reason: `${purpose} due`,
    transactions: [transaction],
    change,
    memory: { roomMissedSinceMs: null, noRoomAtMs },
  });
  tick.wait(`${purpose} sent`);
}
