import type { BlockPointer } from '@maker/chain';
import { isInTime } from '@maker/rules';
import type { Watch } from '../watch/watch.ts';

/**
 * Whether no further payment can be in time: the confirmed chain has passed the deadline, the balance was read
 * after it, and every seen deposit is credited or dropped. A wallet that spends needs no reading: its job runs. Source: design § 4.
 * @param confirmed the newest confirmed block
 * @param hasUndecided whether a deposit of the address still waits for its credit, or to be mined again
 */
export function deadlineHasPassed(watch: Watch, confirmed: BlockPointer, hasUndecided: boolean): boolean {
  if (isInTime(confirmed.timestampMs, watch.deadlineMs) || hasUndecided) return false;
  if (watch.spendingSinceBlock !== null) return true;
  return watch.readPastDeadlineAtBlock !== null && watch.readPastDeadlineAtBlock <= confirmed.number;
}
