import type { PoolState, TokenLimits } from '@maker/rules';
import type { Address } from 'viem';
import type { ConnectedChain } from './connect-chain.ts';
import { newestSmallBlock, type SmallBlock } from './latest-block.ts';
import type { Market, MarketQuestion } from './pools/market.ts';
import { probeLimits } from './probe/probe-limits.ts';
import { tipAfter } from './tip.ts';

/** What a plan needs to know of chain and market. Source: design § 4a. */
export interface MarketFacts {
  /** Its gas limit is shared by all who trade. */
  readonly block: SmallBlock;
  /** Base fee and the tip that is worth offering now, wei per gas. */
  readonly gasPriceWei: bigint;
  /** Time between two small blocks, ms. */
  readonly blockTimeMs: number;
  /** Of a plain token to an address that never held it. */
  readonly deliveryGas: bigint;
  /** Pools that are deep enough, each read at one block. */
  readonly pools: readonly PoolState[];
  /** Of the token; absent where nothing is known. */
  readonly limits?: TokenLimits;
}

/** Where plans read pools: one endpoint's market, or what several tell alike. */
type DeepMarkets = Pick<Market, 'deepMarket' | 'exchangeOf'>;

/** A transfer of an ERC-20 token that writes a balance which was nothing before: 51,000 measured, and room for logic of its own. */
const DELIVERY_GAS = 65_000n;

/**
 * Reads what a plan is made from: one request for the block, and one for tips above the lowest base fee; one or two for the pools' depth, and one
 * for the quotes of each; and one that tries the token's limits.
 * @throws ChainUnavailableError
 */
export async function readMarketFacts(
  { client, market, network }: Pick<ConnectedChain, 'client' | 'network'> & { market: DeepMarkets },
  token: Address,
  question: MarketQuestion,
): Promise<MarketFacts> {
  const block = await newestSmallBlock(client);
  const gasPriceWei = block.baseFeeWei + (await tipAfter(client, block));
  const { quotes, states: pools } = await market.deepMarket(token, question, gasPriceWei);
  const [best] = quotes;
  // What the token limits where it is bought first. A trial that cannot be made says nothing, and no plan waits for it.
  const limits =
    best && (await probeLimits(client, market.exchangeOf(best.pool), best, question.budgetWei).catch(() => undefined));
  const facts = { block, gasPriceWei, blockTimeMs: network.blockTimeMs, deliveryGas: DELIVERY_GAS, pools };
  return { ...facts, ...(limits && { limits }) };
}
