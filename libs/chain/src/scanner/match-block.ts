import type { Address } from 'viem';
import type { Mention, Transfer } from './scan-events.ts';
import { transferIn } from './transfer-in.ts';
import type { WatchedAddresses } from './watched-addresses.ts';
import type { WireBlock } from './wire-block.ts';

/** A block's transactions with watched addresses, before receipts are read: failed transactions are included. */
export interface BlockMatches {
  readonly transfers: readonly Transfer[];
  /** The first transaction that names an address; one mention for each address. */
  readonly mentions: readonly Mention[];
  readonly senders: readonly Address[];
}

/** Finds transfers to, mentions of, and transactions from watched addresses. Makes no request. */
export function matchBlock(block: WireBlock, watched: WatchedAddresses): BlockMatches {
  const transfers: Transfer[] = [];
  const mentions = new Map<Address, Mention>();
  const senders = new Set<Address>();
  for (const transaction of block.transactions) {
    const { hash, from, to, input } = transaction;
    if (watched.has(from)) senders.add(from);
    const transfer = to && watched.has(to) ? transferIn(transaction) : undefined;
    if (transfer) transfers.push(transfer);
    for (const address of watched.findIn(input)) {
      // A wallet's own trade names the wallet as the recipient of the tokens: that is no payment.
      if (address === from || address === to || mentions.has(address)) continue;
      mentions.set(address, { transactionHash: hash, address });
    }
  }
  return { transfers, mentions: [...mentions.values()], senders: [...senders] };
}
