import type { PoolState, TokenLimits } from '@maker/rules';
import type { Address } from 'viem';
import type { ConnectedChain } from './connect-chain.ts';
import { newestSmallBlock, type SmallBlock } from './latest-block.ts';
import type { Market, MarketQuestion } from './pools/market.ts';
import { probeLimits } from './probe/probe-limits.ts';
import { tipAfter } from './tip.ts';

/** Facts about chain and market that a plan needs. Source: design § 4a. */
export interface MarketFacts {
  /** All traders share its gas limit. */
  readonly block: SmallBlock;
  /** Base fee plus the tip that is worth offering now, wei per gas. */
  readonly gasPriceWei: bigint;
  /** Time between two small blocks, ms. */
  readonly blockTimeMs: number;
  /** Gas of a transfer of a plain token to an address that never held it. */
  readonly deliveryGas: bigint;
  /** Pools that are deep enough, the quotes of each from one block. */
  readonly pools: readonly PoolState[];
  /** Limits of the token; absent where they are unknown. */
  readonly limits?: TokenLimits;
}

/** The source of pools for plans: one endpoint's market, or the market on which several hosts agree. */
type DeepMarkets = Pick<Market, 'deepMarket' | 'exchangeOf'>;

/** Gas of an ERC-20 transfer that writes a balance for the first time: 51,000 measured, and room for the token's own logic. */
const DELIVERY_GAS = 65_000n;

/**
 * Reads the facts for a plan. Requests: one for the block; one for tips if the base fee is above its floor; one or two for the pools'
 * depth; one for the quotes of each pool; one for the token's limits.
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
  // The token's limits in the best pool. If the probe fails, the limits are unknown and the plan ignores them.
  const limits =
    best && (await probeLimits(client, market.exchangeOf(best.pool), best, question.budgetWei).catch(() => undefined));
  const facts = { block, gasPriceWei, blockTimeMs: network.blockTimeMs, deliveryGas: DELIVERY_GAS, pools };
  return { ...facts, ...(limits && { limits }) };
}
