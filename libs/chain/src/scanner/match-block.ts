import type { Address } from 'viem';
import type { Mention, Transfer } from './scan-events.ts';
import type { WatchedAddresses } from './watched-addresses.ts';
import type { WireBlock } from './wire-block.ts';

/** What a block holds of the watched addresses, before receipts are looked at: a failed transaction is in it too. */
export interface BlockMatches {
  readonly transfers: readonly Transfer[];
  readonly mentions: readonly Mention[];
  readonly senders: readonly Address[];
}

/** Finds transfers to, mentions of, and transactions from watched addresses. Costs no call, whatever their number. */
export function matchBlock(block: WireBlock, watched: WatchedAddresses): BlockMatches {
  const transfers: Transfer[] = [];
  const mentions: Mention[] = [];
  const senders = new Set<Address>();
  for (const { hash, from, to, value, input } of block.transactions) {
    if (watched.has(from)) senders.add(from);
    if (to && to !== from && watched.has(to) && BigInt(value) > 0n) {
      transfers.push({ transactionHash: hash, from, to, amountWei: BigInt(value) });
    }
    for (const address of watched.findIn(input)) {
      // A wallet's own trade names the wallet as the recipient of tokens: that is no payment to it.
      if (address !== from && address !== to) mentions.push({ transactionHash: hash, address });
    }
  }
  return { transfers, mentions, senders: [...senders] };
}
