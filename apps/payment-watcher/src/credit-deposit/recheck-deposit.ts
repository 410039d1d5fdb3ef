import type { BalanceReading, BlockPointer } from '@maker/chain';
import type { Deposit } from '../deposit/deposit.ts';
import type { Watch } from '../watch/watch.ts';

/** The result of a second reading of the chain: credit the deposit, drop it, or check again after the next block. */
export type Recheck = 'credit' | 'drop' | 'wait';

/**
 * Rechecks a transfer or a HyperCore credit: it counts while its block is on the chain. If another block replaced it, the scan detects
 * the reorganisation and finds the transfer again if it was mined again.
 * @param current the block that the node now has at the deposit's height
 */
export function recheckTransfer(deposit: Deposit, current: BlockPointer | null): Recheck {
  return current?.hash === deposit.blockHash ? 'credit' : 'wait';
}

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
