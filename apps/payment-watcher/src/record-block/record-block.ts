import type { ScannedBlock } from '@maker/chain';
import type { Address } from 'viem';
import { type Deposit, depositOfTransfer } from '../deposit/deposit.ts';
import type { MentionFact, Watch } from '../watch/watch.ts';

/** What one block changes. */
export interface BlockRecord {
  readonly deposits: readonly Deposit[];
  readonly mentions: readonly (MentionFact & { readonly address: Address })[];
  /** Wallets that sent their first transaction. */
  readonly spending: readonly Address[];
}

/**
 * Decides what to keep of a scanned block: its transfers are deposits; the balance of an address named in calldata is read,
 * unless it has begun to spend, when its balance no longer tells what came in.
 */
export function recordBlock(scanned: ScannedBlock, watches: ReadonlyMap<Address, Watch>): BlockRecord {
  const { block } = scanned;
  const deposits = scanned.transfers.flatMap((transfer) => {
    const watch = watches.get(transfer.to);
    return watch ? [depositOfTransfer(watch, transfer, block)] : [];
  });
  const spends = (watch: Watch) => watch.spendingSinceBlock !== null || scanned.senders.includes(watch.address);
  const mentions = scanned.mentions.flatMap(({ address, transactionHash }) => {
    const watch = watches.get(address);
    if (!watch || spends(watch)) return [];
    return [{ address, transactionHash, blockNumber: block.number, blockAtMs: block.timestampMs }];
  });
  const spending = scanned.senders.filter((address) => watches.get(address)?.spendingSinceBlock == null);
  return { deposits, mentions, spending };
}

/** Every watched address that a block concerns. */
export function addressesIn({ transfers, mentions, senders }: ScannedBlock): Address[] {
  return [...new Set([...transfers.map(({ to }) => to), ...mentions.map(({ address }) => address), ...senders])];
}
