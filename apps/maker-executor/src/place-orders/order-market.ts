import type { BuyTransaction, PoolQuote } from '@maker/chain';
import { Inject, Injectable } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import type { Execution } from '../execution/execution.ts';
import { isRefusedByContract } from '../send/gas.ts';

/** Until one was estimated: a first buy in the dearer kind of pool. */
const GAS_OF_UNKNOWN_ORDER = 160_000n;

/** How long an estimate is used, in blocks; pools and balances hardly change what a buy costs. */
const ESTIMATE_REUSED_BLOCKS = 30;

interface Estimate {
  readonly route: string;
  readonly gas: bigint;
  readonly atBlock: number;
}

/** What the maker asks of the market for one job: the best pool, and what an order's gas is. */
@Injectable()
export class OrderMarket {
  private readonly estimates = new Map<string, Estimate>();

  constructor(
    @Inject(MAKER_CONFIGURATION) private readonly configuration: MakerConfiguration,
    private readonly chain: ChainAccess,
  ) {}

  /** Gas that the job's next order should use, as far as is known. */
  gasExpected(jobId: string): bigint {
    return this.estimates.get(jobId)?.gas ?? GAS_OF_UNKNOWN_ORDER;
  }

  /** The pool that gives most among those deep enough; undefined where none is. @param tradeWei wei */
  async bestQuote(execution: Execution, tradeWei: bigint): Promise<PoolQuote | undefined> {
    return this.chain.market.bestQuote(
      execution.tokenAddress,
      tradeWei,
      this.configuration.MAKER_MINIMUM_LIQUIDITY_HYPE,
    );
  }

  /**
   * Gas that a buy uses now, asked of the chain unless it was lately for the same pool.
   * @returns undefined where the buy would revert
   */
  async estimateGas(
    execution: Execution,
    quote: PoolQuote,
    buy: BuyTransaction,
    blockNumber: number,
  ): Promise<bigint | undefined> {
    const known = this.estimates.get(execution.id);
    const route = quote.pool.address;
    if (known?.route === route && blockNumber - known.atBlock < ESTIMATE_REUSED_BLOCKS) return known.gas;
    try {
      const gas = await this.chain.client.estimateGas({
        account: execution.walletAddress,
        to: buy.to,
        data: buy.data,
        value: buy.value,
      });
      this.estimates.set(execution.id, { route, gas, atBlock: blockNumber });
      return gas;
    } catch (error) {
      if (isRefusedByContract(error)) return undefined;
      throw error;
    }
  }

  /** Forgets a job that ended. */
  forget(jobId: string): void {
    this.estimates.delete(jobId);
  }
}
