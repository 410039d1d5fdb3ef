import { NEAR_BLOCK_TIME_MS } from '@maker/rules';
import type { Address, Hash } from 'viem';
import type { Hosts } from './agreement/hosts.ts';
import type { ChainClient } from './client.ts';
import type { HeadFeed } from './head-feed/head-feed.ts';
import { quorum } from './quorum.ts';
import type { ClaimVerdict, TransferProofs } from './scanner/transfer-proofs.ts';
import { proveBalances } from './wallets/confirm-balances.ts';

/** A plain transfer as payment-watcher reports it, not yet verified. */
export interface ReportedTransfer {
  readonly depositId: string;
  readonly wallet: Address;
  readonly from: Address;
  readonly transactionHash: Hash;
  readonly amountWei: bigint;
  readonly blockNumber: number;
  readonly blockAtMs: number;
  /** Latest time at which the deposit is in time, ms. */
  readonly deadlineMs: number;
}

/** The result of the check on the chain, and the block of a proven transfer. */
export interface TransferVerdict {
  readonly verdict: ClaimVerdict;
  readonly block?: { readonly number: number; readonly atMs: number };
}

/** A minimum balance of a wallet to check. */
export interface AskedBalance {
  readonly wallet: Address;
  readonly leastWei: bigint;
  /** The check ignores states before this block. */
  readonly sinceBlock: number;
  /** Present where only a state after this chain time counts, ms. */
  readonly afterMs?: number | undefined;
}

/** Whether hosts show each balance, in the order of the question; null where they confirm neither answer. */
export interface ShownBalances {
  readonly areShown: (boolean | null)[];
  /** Time of the chain, ms. */
  readonly chainTimeMs: number;
}

/** Checks payment-watcher's reports of deposits on the chain, with few requests. Source: docs/adr/0118. */
export class DepositProofs {
  private readonly hosts: Hosts;
  private readonly transfers: TransferProofs;
  private readonly feed: Pick<HeadFeed, 'head' | 'chainNowMs'>;

  constructor(hosts: Hosts, transfers: TransferProofs, feed: Pick<HeadFeed, 'head' | 'chainNowMs'>) {
    this.hosts = hosts;
    this.transfers = transfers;
    this.feed = feed;
  }

  /** Proves one transfer: its sender, amount and block. Refutes a deposit id that does not belong to the transfer. */
  async transfer(reported: ReportedTransfer): Promise<TransferVerdict> {
    const { wallet, from, transactionHash, amountWei } = reported;
    if (reported.depositId !== `${wallet}:${transactionHash}`.toLowerCase()) return { verdict: 'refuted' };
    const located = await this.transfers.proveInBlock(
      from,
      wallet,
      { transactionHash, amountWei },
      reported.blockNumber,
    );
    const { verdict, blockNumber } = located;
    if (verdict !== 'proven' || blockNumber === undefined) return { verdict };
    const atMs = this.isHarmless(reported) ? reported.blockAtMs : await this.timeOf(blockNumber);
    return atMs === undefined ? { verdict: 'waiting' } : { verdict, block: { number: blockNumber, atMs } };
  }

  /** Whether hosts agree that wallets have at least these balances, or that they do not. One call for all. */
  async balances(asked: readonly AskedBalance[]): Promise<ShownBalances> {
    const { head, chainNowMs: chainTimeMs } = this.feed;
    if (!head) return { areShown: asked.map(() => null), chainTimeMs };
    const since = ({ sinceBlock, afterMs }: AskedBalance) => (afterMs === undefined ? sinceBlock : head.number);
    const shown = await proveBalances(
      this.hosts,
      asked.map((one) => ({ address: one.wallet, leastWei: one.leastWei, sinceBlock: since(one) })),
    );
    const isEarly = ({ afterMs }: AskedBalance) => afterMs !== undefined && head.timestampMs <= afterMs;
    return { areShown: asked.map((one, index) => (isEarly(one) ? null : (shown[index] ?? null))), chainTimeMs };
  }

  /** Whether a false block time would change nothing: it is near the chain's time, and both are before the deadline. */
  private isHarmless({ blockAtMs, deadlineMs }: ReportedTransfer): boolean {
    const nowMs = this.feed.chainNowMs;
    return Math.max(nowMs, blockAtMs) <= deadlineMs && Math.abs(nowMs - blockAtMs) <= NEAR_BLOCK_TIME_MS;
  }

  private async timeOf(blockNumber: number): Promise<number | undefined> {
    const timestampAt = async (client: ChainClient) =>
      (await client.getBlock({ blockNumber: BigInt(blockNumber) })).timestamp;
    const verdict = await quorum(this.hosts.question(timestampAt));
    return verdict.kind === 'agreed' ? Number(verdict.answers[0]) * 1000 : undefined;
  }
}
