import { routersOf } from '@maker/local-stack';
import type { Address } from 'viem';
import { getBlockReceipts } from 'viem/actions';
import type { ProductClient } from '../support/product-client.ts';

/** A transaction in a block. */
interface Sent {
  readonly to: string;
  readonly valueWei: bigint;
  readonly gasWei: bigint;
  readonly succeeded: boolean;
}

/** Where a wallet's money went, from the chain. All wei. */
export interface Spent {
  readonly feeWei: bigint;
  readonly tradedWei: bigint;
  readonly gasWei: bigint;
  readonly returnedWei: bigint;
  /** To any other address. */
  readonly lostWei: bigint;
  readonly balanceWei: bigint;
  readonly ordersPlaced: number;
}

/** Transactions of all wallets, read from the chain: each block once. */
export class ChainAccounts {
  private readonly sent = new Map<string, Sent[]>();
  private reading: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly product: ProductClient,
    private nextBlock: bigint,
  ) {}

  /** @param payer owner of the wallet's rest @param token of its job, to which deliveries are sent */
  async of(wallet: Address, payer: Address, token: Address): Promise<Spent> {
    const { chain, stack } = this.product;
    this.reading = this.reading.then(() => this.catchUp());
    await this.reading;
    const routers = new Set(routersOf(stack.contracts).map((router) => router.toLowerCase()));
    const own = [payer, token, wallet].map((address) => address.toLowerCase());
    const all = this.sent.get(wallet.toLowerCase()) ?? [];
    const sum = (takes: (sent: Sent) => boolean, of: (sent: Sent) => bigint = ({ valueWei }) => valueWei) =>
      all.filter(takes).reduce((total, sent) => total + of(sent), 0n);
    const went = (takes: (to: string) => boolean) => sum(({ succeeded, to }) => succeeded && takes(to));
    const treasury = stack.treasury.toLowerCase();
    return {
      feeWei: went((to) => to === treasury),
      tradedWei: went((to) => routers.has(to)),
      gasWei: sum(
        () => true,
        ({ gasWei }) => gasWei,
      ),
      returnedWei: went((to) => to === own[0]),
      lostWei: went((to) => to !== treasury && !routers.has(to) && !own.includes(to)),
      balanceWei: await chain.getBalance({ address: wallet }),
      ordersPlaced: all.filter(({ to, succeeded }) => succeeded && routers.has(to)).length,
    };
  }

  private async catchUp(): Promise<void> {
    const { chain } = this.product;
    const head = await chain.getBlockNumber();
    for (; this.nextBlock <= head; this.nextBlock += 1n) {
      const blockNumber = this.nextBlock;
      const { transactions } = await chain.getBlock({ blockNumber, includeTransactions: true });
      if (transactions.length === 0) continue;
      const receipts = await getBlockReceipts(chain, { blockNumber });
      const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
      for (const { hash, from, to, value } of transactions) {
        const receipt = byHash.get(hash);
        if (!receipt) throw new Error(`${hash} has no receipt`);
        const gasWei = receipt.gasUsed * receipt.effectiveGasPrice;
        const sent = { to: (to ?? '').toLowerCase(), valueWei: value, gasWei, succeeded: receipt.status === 'success' };
        this.sent.set(from.toLowerCase(), [...(this.sent.get(from.toLowerCase()) ?? []), sent]);
      }
    }
  }
}
