import type { Hex } from 'viem';
import type { BlockKind } from './block-schedule.ts';
import { refused, type SignedTransaction } from './transaction.ts';

/** Number of nonces of an address that the mempool accepts, from its next one on. Source: hyperevm § 1. */
export const NONCES_AHEAD = 8;
/** Seconds after which the mempool drops a waiting transaction. Source: hyperevm § 1. */
export const LIFETIME_SECONDS = 86_400;
/** Minimum increase of both fees for a replacement, in percent. Not documented for HyperEVM; geth's rule. */
const PRICE_BUMP_PERCENT = 10n;

/** A transaction that waits for a block. */
export interface WaitingTransaction extends SignedTransaction {
  /** The kind of block that it waits for: its sender's setting on arrival. */
  kind: BlockKind;
  /** Sequence number of its arrival. */
  arrival: number;
  /** The chain's time on arrival. */
  arrivedAtSeconds: number;
}

/** The sender's state on the chain. */
export interface SenderAccount {
  /** Number of its transactions in blocks. */
  nonce: number;
  balanceWei: bigint;
}

/**
 * Waiting transactions, for both kinds of block, since a nonce is used once; each waits for blocks of its kind.
 * Invariant: at most one transaction for each sender and nonce.
 */
export class Mempool {
  private readonly bySender = new Map<Hex, Map<number, WaitingTransaction>>();
  private arrivals = 0;

  /**
   * Adds a transaction, or rejects it with the reason.
   * @param at the chain's time, and the kind of block that the sender uses
   * @throws RpcError
   */
  add(transaction: SignedTransaction, account: SenderAccount, at: { seconds: number; kind: BlockKind }): void {
    const { sender, nonce } = transaction;
    const waiting = this.bySender.get(sender)?.get(nonce);
    if (waiting?.hash === transaction.hash) throw refused('already known');
    if (nonce < account.nonce) throw refused(`nonce too low: next nonce ${account.nonce}, tx nonce ${nonce}`);
    if (nonce >= account.nonce + NONCES_AHEAD) {
      throw refused(
        `nonce too high: only nonces ${account.nonce} to ${account.nonce + NONCES_AHEAD - 1} are accepted, tx nonce ${nonce}`,
      );
    }
    const costWei = transaction.valueWei + transaction.gas * transaction.maxFeePerGasWei;
    if (costWei > account.balanceWei) {
      throw refused(`insufficient funds for gas * price + value: have ${account.balanceWei} want ${costWei}`);
    }
    if (waiting && !outbids(transaction, waiting)) throw refused('replacement transaction underpriced');
    const ofSender = this.bySender.get(sender) ?? new Map<number, WaitingTransaction>();
    ofSender.set(nonce, { ...transaction, kind: at.kind, arrival: this.arrivals++, arrivedAtSeconds: at.seconds });
    this.bySender.set(sender, ofSender);
  }

  /** Drops transactions that have waited for more than a day. @param seconds the chain's time */
  prune(seconds: number): void {
    for (const transaction of this.all()) {
      if (seconds - transaction.arrivedAtSeconds > LIFETIME_SECONDS) this.remove(transaction.sender, transaction.nonce);
    }
  }

  /** Drops transactions with a nonce below `nonce`, the sender's next one. */
  settle(sender: Hex, nonce: number): void {
    for (const used of [...(this.bySender.get(sender)?.keys() ?? [])]) if (used < nonce) this.remove(sender, used);
  }

  /** Drops one transaction. @returns whether it was there */
  drop(hash: Hex): boolean {
    const found = this.all().find((transaction) => transaction.hash === hash);
    if (found) this.remove(found.sender, found.nonce);
    return found !== undefined;
  }

  clear(): void {
    this.bySender.clear();
  }

  /** Senders with waiting transactions. */
  senders(): Hex[] {
    return [...this.bySender.keys()];
  }

  /**
   * A sender's transactions that a block of this kind could include now: consecutive nonces from `nextNonce` on. It stops at
   * the first gap, and at the first transaction for the other kind.
   */
  inRow(sender: Hex, nextNonce: number, kind: BlockKind): WaitingTransaction[] {
    const ofSender = this.bySender.get(sender);
    const row: WaitingTransaction[] = [];
    for (let nonce = nextNonce; ; nonce++) {
      const transaction = ofSender?.get(nonce);
      if (transaction?.kind !== kind) return row;
      row.push(transaction);
    }
  }

  /** All waiting transactions, in the order of arrival. */
  all(): WaitingTransaction[] {
    return [...this.bySender.values()]
      .flatMap((ofSender) => [...ofSender.values()])
      .toSorted((one, other) => one.arrival - other.arrival);
  }

  private remove(sender: Hex, nonce: number): void {
    const ofSender = this.bySender.get(sender);
    ofSender?.delete(nonce);
    if (ofSender?.size === 0) this.bySender.delete(sender);
  }
}

function outbids(replacement: SignedTransaction, waiting: SignedTransaction): boolean {
  const enough = (offer: bigint, standing: bigint): boolean => offer * 100n >= standing * (100n + PRICE_BUMP_PERCENT);
  return (
    enough(replacement.maxFeePerGasWei, waiting.maxFeePerGasWei) && enough(replacement.maxTipWei, waiting.maxTipWei)
  );
}
