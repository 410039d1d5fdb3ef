import type { BalanceReading, BlockPointer } from '@maker/chain';
import type { Deposit } from '../deposit/deposit.ts';
import type { Watch } from '../watch/watch.ts';

/** What a second reading of the chain makes of a deposit: credit it, forget it, or check again after the next block. */
export type Recheck = 'credit' | 'drop' | 'wait';

/**
 * A transfer, or a credit from HyperCore, stands while its block does. Where another block is in its place, the scan will say so and find the
 * transfer again, if it is still there.
 * @param there the block that the node now has at the deposit's height
 */
export function recheckTransfer(deposit: Deposit, there: BlockPointer | null): Recheck {
  return there?.hash === deposit.blockHash ? 'credit' : 'wait';
}

/**
 * A rise of a balance stands while the balance does. Once the wallet spends, no balance can show any more whether it ever was: it is
 * forgotten, and what is really there the wallet's ledger finds. The wallet may have spent in blocks that the reading knows and the scan
 * does not yet.
 * @param reading balances of a later block
 * @param knownWei sum of every deposit up to the block of the reading, the rise itself included: what came after it must not stand
 * in for one that never was
 * @param scannedBlock the newest block that is scanned
 */
export function recheckRise(
  deposit: Deposit,
  reading: BalanceReading,
  knownWei: bigint,
  watch: Watch | undefined,
  confirmations: number,
  scannedBlock: number,
): Recheck {
  if (watch?.spendingSinceBlock != null) return 'drop';
  if (reading.blockNumber < deposit.seenAtBlock + confirmations) return 'wait';
  if ((reading.balances.get(deposit.address) ?? 0n) >= knownWei) return 'credit';
  return reading.blockNumber <= scannedBlock ? 'drop' : 'wait';
}
