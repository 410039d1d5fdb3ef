import type { BuyTransaction, Pool } from '@maker/chain';
import { type PoolCurve, rankedAfterGas, readCurve, tokensAt } from '@maker/rules';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import { type BlockHead, HeadFeed } from '../chain/head-feed.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import type { Execution, StartPool } from '../execution/execution.ts';
import { isRefusedByContract, withMargin } from '../send/gas.ts';

/** Until one was estimated: a first buy in the dearer kind of pool. */
const GAS_OF_UNKNOWN_ORDER = 160_000n;

/** How long an estimate is used, in blocks; pools and balances hardly change what a buy costs. */
const ESTIMATE_REUSED_BLOCKS = 30;

/** How long a pool that refused a buy is left alone, in blocks: what is wrong is seldom mended in a minute. */
const PASSED_OVER_BLOCKS = 60;

/** Blocks that may come between a quote and the signature of what was priced by it. */
const QUOTE_LIFE_BLOCKS = 2;

/** Amounts double: these reach from a sixteenth of the budget to all of it. */
const START_SAMPLES = 5;

interface Estimate {
  readonly route: string;
  readonly gas: bigint;
  /** What orders are sized by. */
  readonly expected: bigint;
  readonly atBlock: number;
}

/** A pool that can be bought from, with what it gives for rising amounts at the head. */
export interface PoolOffer {
  readonly pool: Pool;
  readonly curve: PoolCurve;
}

/** The market at one block, and what the job's wallet has of the token at the same block. */
export interface MarketNow {
  /** Cheapest after gas first. */
  readonly offers: readonly PoolOffer[];
  /** In the token's smallest unit; undefined where the token does not say. */
  readonly walletTokens: bigint | undefined;
  /** The newest height that was known before it was asked. */
  readonly quotedAtBlock: number;
}

/** What the maker asks of the market for one job: where to buy, and what an order's gas is. */
@Injectable()
export class OrderMarket {
  private readonly estimates = new Map<string, Estimate>();
  /** By job and pool, the block from which the pool is tried again. */
  private readonly passedOver = new Map<string, Map<Address, number>>();
  /** By job, how many orders it had signed when a quote was last thrown away. */
  private readonly quotedAgain = new Map<string, number>();

  constructor(
    @Inject(MAKER_CONFIGURATION) private readonly configuration: MakerConfiguration,
    private readonly chain: ChainAccess,
    private readonly feed: HeadFeed,
  ) {}

  /** Gas by which the job's next order is sized: what its plan assumed, unless the chain asks for a good deal more. */
  gasExpected(jobId: string): bigint {
    return this.estimates.get(jobId)?.expected ?? GAS_OF_UNKNOWN_ORDER;
  }

  /**
   * What the pools offer that are deep enough and have not lately refused. One request.
   * @param amounts see `quotedAmounts`, wei @param tradeWei of the first order, by which they are ranked
   */
  async now(
    { id, tokenAddress, walletAddress }: Execution,
    head: BlockHead,
    amounts: readonly bigint[],
    tradeWei: bigint,
  ): Promise<MarketNow> {
    const quotedAtBlock = this.newestBlock;
    const { pools, holderTokens } = await this.chain.market.samples(tokenAddress, amounts, walletAddress);
    const triedFrom = this.passedOver.get(id);
    const offers = pools.flatMap(({ pool, liquidityWei, orderGas, samples }) => {
      if (liquidityWei < this.configuration.MAKER_MINIMUM_LIQUIDITY_HYPE) return [];
      if ((triedFrom?.get(pool.address) ?? 0) > head.number) return [];
      const curve = readCurve({ exchange: pool.exchangeId, orderGas, samples });
      return curve ? [{ pool, curve, tokens: tokensAt(curve, tradeWei), gas: orderGas }] : [];
    });
    const ranked = rankedAfterGas(offers, tradeWei, head.baseFeeWei + head.tipWei);
    return { offers: ranked, walletTokens: holderTokens, quotedAtBlock };
  }

  /**
   * Whether a quote is too old to sign by, since an endpoint or the database took its time: the market is to be asked anew. Once for a
   * batch, or where all is slow nothing would be bought; its minimum and its life bound it then. Source: design § 4a.
   */
  hasMovedOn({ id, ordersSigned }: Pick<Execution, 'id' | 'ordersSigned'>, quotedAtBlock: number): boolean {
    if (this.newestBlock - quotedAtBlock <= QUOTE_LIFE_BLOCKS || this.quotedAgain.get(id) === ordersSigned)
      return false;
    this.quotedAgain.set(id, ordersSigned);
    return true;
  }

  /**
   * Gas that a buy uses now, asked of the chain unless it was lately for the same pool and no order has failed since.
   * @returns undefined where the buy would revert: the pool is passed over for a while
   */
  async estimateGas(
    execution: Execution,
    { pool, curve }: PoolOffer,
    buy: BuyTransaction,
    blockNumber: number,
  ): Promise<bigint | undefined> {
    const known = this.estimates.get(execution.id);
    const route = pool.address;
    if (
      known?.route === route &&
      blockNumber - known.atBlock < ESTIMATE_REUSED_BLOCKS &&
      execution.consecutiveFailures === 0
    ) {
      return known.gas;
    }
    try {
      const gas = await this.chain.client.estimateGas({
        account: execution.walletAddress,
        to: buy.to,
        data: buy.data,
        value: buy.value,
      });
      // What it uses differs a little from one order to the next, and would merge other numbers of them than the plan says.
      const expected = gas > withMargin(curve.orderGas) ? gas : curve.orderGas;
      this.estimates.set(execution.id, { route, gas, expected, atBlock: blockNumber });
      return gas;
    } catch (error) {
      if (!isRefusedByContract(error)) throw error;
      this.passOver(execution.id, route, blockNumber);
      return undefined;
    }
  }

  /** What each pool would give for all of the job's budget in one swap, and for parts of it. One request for each pool. */
  async start({ tokenAddress, orderBudgetWei }: Execution): Promise<readonly StartPool[]> {
    const minimumLiquidityWei = this.configuration.MAKER_MINIMUM_LIQUIDITY_HYPE;
    const question = { minimumLiquidityWei, budgetWei: orderBudgetWei };
    const states = await this.chain.market.deepStates(tokenAddress, question, 0n);
    return states.map(({ exchange, samples }) => ({
      exchange,
      samples: samples.slice(-START_SAMPLES).map(({ inWei, tokens }) => ({ inWei, outTokens: tokens })),
    }));
  }

  /** Forgets a job that ended. */
  forget(jobId: string): void {
    this.estimates.delete(jobId);
    this.passedOver.delete(jobId);
    this.quotedAgain.delete(jobId);
  }

  private get newestBlock(): number {
    return this.feed.head?.number ?? 0;
  }

  private passOver(jobId: string, pool: Address, blockNumber: number): void {
    const pools = this.passedOver.get(jobId) ?? new Map<Address, number>();
    this.passedOver.set(jobId, pools.set(pool, blockNumber + PASSED_OVER_BLOCKS));
  }
}
