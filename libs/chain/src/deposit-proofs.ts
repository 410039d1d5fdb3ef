import { NEAR_BLOCK_TIME_MS } from '@maker/rules';
import type { Address, Hash } from 'viem';
import { type HostAgreement, UnconfirmedError } from './agreement/host-agreement.ts';
import type { HeadFeed } from './head-feed/head-feed.ts';
import type { ClaimVerdict, TransferProofs } from './scanner/transfer-proofs.ts';
import { judgeBalances } from './wallets/confirm-balances.ts';

/** A plain transfer as payment-watcher tells of it. */
export interface ToldTransfer {
  readonly depositId: string;
  readonly wallet: Address;
  readonly from: Address;
  readonly transactionHash: Hash;
  readonly amountWei: bigint;
  readonly blockNumber: number;
  readonly blockAtMs: number;
  /** Until when it would be in time, ms. */
  readonly deadlineMs: number;
}

/** What the chain says of it, and its block where it is proven. */
export interface TransferVerdict {
  readonly verdict: ClaimVerdict;
  readonly block?: { readonly number: number; readonly atMs: number };
}

/** What a wallet may have at least. */
export interface AskedBalance {
  readonly wallet: Address;
  readonly leastWei: bigint;
  /** No state before this block counts. */
  readonly sinceBlock: number;
  /** Present where no state counts before the chain has passed this time, ms. */
  readonly afterMs?: number | undefined;
}

/** Which of some balances hosts show; null where they agree on neither. */
export interface ShownBalances {
  readonly areShown: (boolean | null)[];
  /** Of the chain, ms. */
  readonly chainTimeMs: number;
}

/** Proves from the chain what payment-watcher tells of money that came, with as few requests as will do. Source: docs/adr/0118. */
export class DepositProofs {
  private readonly hosts: HostAgreement;
  private readonly transfers: TransferProofs;
  private readonly feed: Pick<HeadFeed, 'head' | 'chainNowMs'>;

  constructor(hosts: HostAgreement, transfers: TransferProofs, feed: Pick<HeadFeed, 'head' | 'chainNowMs'>) {
    this.hosts = hosts;
    this.transfers = transfers;
    this.feed = feed;
  }

  /** Judges one transfer. Sender, amount and block are proven; a deposit of another id is none of it. */
  async transfer(told: ToldTransfer): Promise<TransferVerdict> {
    const { wallet, from, transactionHash, amountWei } = told;
    if (told.depositId !== `${wallet}:${transactionHash}`.toLowerCase()) return { verdict: 'refuted' };
    const located = await this.transfers.locate(from, wallet, { transactionHash, amountWei }, told.blockNumber);
    const { verdict, blockNumber } = located;
    if (verdict !== 'proven' || blockNumber === undefined) return { verdict };
    const atMs = this.isHarmless(told) ? told.blockAtMs : await this.timeOf(blockNumber);
    return atMs === undefined ? { verdict: 'waiting' } : { verdict, block: { number: blockNumber, atMs } };
  }

  /** Whether hosts agree that wallets have so much, or that they do not. One call for all. */
  async balances(asked: readonly AskedBalance[]): Promise<ShownBalances> {
    const { head, chainNowMs: chainTimeMs } = this.feed;
    if (!head) return { areShown: asked.map(() => null), chainTimeMs };
    const since = ({ sinceBlock, afterMs }: AskedBalance) => (afterMs === undefined ? sinceBlock : head.number);
    const shown = await judgeBalances(
      this.hosts,
      asked.map((one) => ({ address: one.wallet, leastWei: one.leastWei, sinceBlock: since(one) })),
    );
    const isEarly = ({ afterMs }: AskedBalance) => afterMs !== undefined && head.timestampMs <= afterMs;
    return { areShown: asked.map((one, index) => (isEarly(one) ? null : (shown[index] ?? null))), chainTimeMs };
  }

  /** Whether a false time of the block would change nothing: the chain's time is near it, and before the deadline. */
  private isHarmless({ blockAtMs, deadlineMs }: ToldTransfer): boolean {
    const nowMs = this.feed.chainNowMs;
    return Math.max(nowMs, blockAtMs) <= deadlineMs && Math.abs(nowMs - blockAtMs) <= NEAR_BLOCK_TIME_MS;
  }

  private async timeOf(blockNumber: number): Promise<number | undefined> {
    try {
      const [timestamp] = await this.hosts.agreed(
        async (client) => (await client.getBlock({ blockNumber: BigInt(blockNumber) })).timestamp,
      );
      return Number(timestamp) * 1000;
    } catch (error) {
      if (error instanceof UnconfirmedError) return undefined;
      throw error;
    }
  }
}
