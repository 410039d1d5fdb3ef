import type { Hex } from 'viem';
import type { BlockKind } from './block-schedule.ts';
import { refused, type SignedTransaction } from './transaction.ts';

/** Nonces of an address that the mempool takes, from its next one on. Source: hyperevm § 1. */
export const NONCES_AHEAD = 8;
/** Seconds after which a waiting transaction is forgotten. Source: hyperevm § 1. */
export const LIFETIME_SECONDS = 86_400;
/** What a replacement must pay more, in percent, in both of its fees. Not documented for HyperEVM; geth's rule. */
const PRICE_BUMP_PERCENT = 10n;

/** A transaction that waits for a block. */
export interface WaitingTransaction extends SignedTransaction {
  /** Blocks of which kind it waits for: its sender's choice when it came. */
  kind: BlockKind;
  /** Which came how many-th. */
  arrival: number;
  /** The chain's time when it came. */
  arrivedAtSeconds: number;
}

/** The sender as the chain knows it. */
export interface SenderAccount {
  /** Transactions of it that are in blocks. */
  nonce: number;
  balanceWei: bigint;
}

/**
 * Where transactions wait. One for both kinds of block, since a nonce is used once; each waits for blocks of its kind.
 * Invariant: at most one transaction for each sender and nonce.
 */
export class Mempool {
  private readonly bySender = new Map<Hex, Map<number, WaitingTransaction>>();
  private arrivals = 0;

  /**
   * Takes a transaction in, or says why not.
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

  /** Forgets what has waited for longer than a day. @param seconds the chain's time */
  prune(seconds: number): void {
    for (const transaction of this.all()) {
      if (seconds - transaction.arrivedAtSeconds > LIFETIME_SECONDS) this.remove(transaction.sender, transaction.nonce);
    }
  }

  /** Forgets what has no use any more, since the sender's next nonce is `nonce`. */
  settle(sender: Hex, nonce: number): void {
    for (const used of [...(this.bySender.get(sender)?.keys() ?? [])]) if (used < nonce) this.remove(sender, used);
  }

  /** Forgets one transaction. @returns whether it was there */
  drop(hash: Hex): boolean {
    const found = this.all().find((transaction) => transaction.hash === hash);
    if (found) this.remove(found.sender, found.nonce);
    return found !== undefined;
  }

  clear(): void {
    this.bySender.clear();
  }

  /** Senders of which something waits. */
  senders(): Hex[] {
    return [...this.bySender.keys()];
  }

  /**
   * What of a sender could go into a block of this kind now: its nonces in a row from `nextNonce` on. The first gap,
   * and the first that waits for the other kind, holds up what comes after it.
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

  /** All that waits, in the order of its coming. */
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
