import type { Deposit } from '../deposit/deposit.ts';
import type { Watch } from '../watch/watch.ts';

/**
 * Decides about a deposit that was not found again in the expected blocks. A transfer is in no block: it is dropped.
 * A balance rise is dropped if a reading on the new branch does not show it. If the wallet spends, or is no longer
 * watched, its balance proves nothing: the rise stays credited, and maker-executor's ledger decides.
 */
export function judgeDisplaced(
  deposit: Pick<Deposit, 'kind' | 'seenAtBlock'>,
  watch: Watch | undefined,
): 'dropped' | 'credited' | 'read_balance' {
  if (deposit.kind === 'transfer') return 'dropped';
  if (!watch || watch.spendingSinceBlock !== null) return 'credited';
  return watch.readAtBlock !== null && watch.readAtBlock >= deposit.seenAtBlock ? 'dropped' : 'read_balance';
}
