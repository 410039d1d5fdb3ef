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

/** Most mentions of a block that are kept. Strangers choose how many addresses they name. */
const MOST_MENTIONS = 256;

/** What a block concerns, with so many mentions as are kept; the addresses of the others are only read. */
export function limitMentions(scanned: ScannedBlock): { readonly kept: ScannedBlock; readonly alsoRead: Address[] } {
  const { mentions } = scanned;
  return {
    kept: { ...scanned, mentions: mentions.slice(0, MOST_MENTIONS) },
    alsoRead: mentions.slice(MOST_MENTIONS).map(({ address }) => address),
  };
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
  const mentions = scanned.mentions.flatMap(({ address, transactionHash }) => {
    const watch = watches.get(address);
    if (!watch || spends(watch, scanned)) return [];
    return [{ address, transactionHash, blockNumber: block.number, blockAtMs: block.timestampMs }];
  });
  const spending = scanned.senders.filter((address) => watches.get(address)?.spendingSinceBlock == null);
  return { deposits, mentions, spending };
}

/** Whether nothing of a block is kept. */
export function isEmpty({ deposits, mentions, spending }: BlockRecord): boolean {
  return deposits.length + mentions.length + spending.length === 0;
}

/** Whether a wallet has begun to spend, in this block at the latest. */
export function spends(watch: Watch | undefined, { senders }: ScannedBlock): boolean {
  return watch !== undefined && (watch.spendingSinceBlock !== null || senders.includes(watch.address));
}

/** Every watched address that a block concerns. */
export function addressesIn({ transfers, mentions, senders }: ScannedBlock): Address[] {
  return [...new Set([...transfers.map(({ to }) => to), ...mentions.map(({ address }) => address), ...senders])];
}
