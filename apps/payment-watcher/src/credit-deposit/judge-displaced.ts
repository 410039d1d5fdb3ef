import type { Deposit } from '../deposit/deposit.ts';
import type { Watch } from '../watch/watch.ts';

/**
 * What becomes of a deposit that was not found again in the blocks in which it should have been. A transfer is in no
 * block, so it is gone. A rise of a balance is gone when the balance was read on the new branch and does not show
 * it; of a wallet that spends, or is no longer watched, the balance tells nothing: maker-executor's ledger does.
 */
export function judgeDisplaced(
  deposit: Pick<Deposit, 'kind' | 'seenAtBlock'>,
  watch: Watch | undefined,
): 'dropped' | 'credited' | 'read_balance' {
  if (deposit.kind === 'transfer') return 'dropped';
  if (!watch || watch.spendingSinceBlock !== null) return 'credited';
  return watch.readAtBlock !== null && watch.readAtBlock >= deposit.seenAtBlock ? 'dropped' : 'read_balance';
}
