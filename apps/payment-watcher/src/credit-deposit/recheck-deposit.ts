import type { BalanceReading } from '@maker/chain';
import type { Deposit } from '../deposit/deposit.ts';
import type { Watch } from '../watch/watch.ts';

/** The decision on a deposit: credit it, drop it, or check again after the next block. */
export type Recheck = 'credit' | 'drop' | 'wait';

/**
 * Rechecks a balance rise: it counts while the balance is there. Once the wallet spends, no balance can prove the rise: it is dropped,
 * and the executor's ledger finds the money. The wallet may have spent in a block that the reading contains and the scan does not yet.
 * @param reading balances of a later block
 * @param knownWei sum of all deposits up to the reading's block, with this rise: newer money must not replace a rise that never was
 * @param scannedBlock the newest scanned block
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
