import type { ScannedBlock } from '@maker/chain';
import type { Address } from 'viem';
import { type Deposit, depositOfTransfer } from '../deposit/deposit.ts';
import type { MentionFact, Watch } from '../watch/watch.ts';

/** The changes of one block. */
export interface BlockRecord {
  readonly deposits: readonly Deposit[];
  readonly mentions: readonly (MentionFact & { readonly address: Address })[];
  /** Wallets that sent their first transaction. */
  readonly spending: readonly Address[];
}

/** Most saved mentions of a block. Strangers choose how many addresses they name. */
const MOST_MENTIONS = 256;

/** Limits the mentions of a block. Addresses of the other mentions are only read. */
export function limitMentions(scanned: ScannedBlock): { readonly kept: ScannedBlock; readonly alsoRead: Address[] } {
  const { mentions } = scanned;
  return {
    kept: { ...scanned, mentions: mentions.slice(0, MOST_MENTIONS) },
    alsoRead: mentions.slice(MOST_MENTIONS).map(({ address }) => address),
  };
}

/**
 * Decides what to save of a scanned block. Its transfers are deposits. The balance of an address named in calldata is read,
 * unless the wallet spends: then its balance no longer shows deposits.
 */
export function recordBlock(scanned: ScannedBlock, watches: ReadonlyMap<Address, Watch>): BlockRecord {
  const { block } = scanned;
  const deposits = scanned.transfers.flatMap((transfer) => {
    const watch = watches.get(transfer.to);
    return watch ? [depositOfTransfer(watch, transfer, block)] : [];
  });
  const mentions = scanned.mentions.flatMap(({ address, transactionHash }) => {
    const watch = watches.get(address);
    if (!watch || spends(watch, scanned)) return [];
    return [{ address, transactionHash, blockNumber: block.number, blockAtMs: block.timestampMs }];
  });
  const spending = scanned.senders.filter((address) => watches.get(address)?.spendingSinceBlock == null);
  return { deposits, mentions, spending };
}

/** Whether nothing of a block is saved. */
export function isEmpty({ deposits, mentions, spending }: BlockRecord): boolean {
  return deposits.length + mentions.length + spending.length === 0;
}

/** Whether a wallet spends, at the latest since this block. */
export function spends(watch: Watch | undefined, { senders }: ScannedBlock): boolean {
  return watch !== undefined && (watch.spendingSinceBlock !== null || senders.includes(watch.address));
}

/** Returns each watched address that occurs in a block. */
export function addressesIn({ transfers, mentions, senders }: ScannedBlock): Address[] {
  return [...new Set([...transfers.map(({ to }) => to), ...mentions.map(({ address }) => address), ...senders])];
}
