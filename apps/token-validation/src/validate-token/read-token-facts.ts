import {
  type ConnectedChain,
  isContract,
  type Market,
  type Pool,
  type PoolSurvey,
  probeTrade,
  query,
  tokenMetadata,
} from '@maker/chain';
import { MINIMUM_LIQUIDITY_WEI, STANDARD_ORDER_WEI } from '@maker/rules';
import type { Address } from 'viem';
import type { TokenFacts, TradeFact } from '../token/token-facts.ts';

/**
 * Reads what the decision needs: is it a token, how deep are its pools, does it trade like a plain one. Four requests
 * for most tokens, one more for each exchange where it does not.
 * @param gasPriceWei wei per gas: a standard order's gas is part of what it costs
 * @throws ChainUnavailableError
 */
export async function readTokenFacts(chain: ConnectedChain, token: Address, gasPriceWei: bigint): Promise<TokenFacts> {
  const [metadata, surveys] = await Promise.all([
    query(chain.client, tokenMetadata(token)),
    chain.market.survey(token, STANDARD_ORDER_WEI),
  ]);
  if (!metadata) return { kind: (await isContract(chain.client, token)) ? 'no_token' : 'no_contract' };
  const trade = await tryTrades(chain, bestOfEachExchange(chain.market, surveys, gasPriceWei));
  return {
    kind: 'token',
    token: metadata,
    pools: surveys.map(({ pool, liquidityWei, refusal }) => ({
      exchangeId: pool.exchangeId,
      kind: chain.market.exchangeOf(pool).kind,
      liquidityWei,
      ...(refusal && { refusal }),
    })),
    ...(trade && { trade }),
  };
}

/** The cheapest first. Where none of those deep enough quotes, the deepest: its trial says why. */
function bestOfEachExchange(market: Market, surveys: readonly PoolSurvey[], gasPriceWei: bigint): readonly Pool[] {
  const deepEnough = surveys.filter(
    ({ liquidityWei, refusal }) => !refusal && liquidityWei > 0n && liquidityWei >= MINIMUM_LIQUIDITY_WEI,
  );
  const quoted = market.ranked(deepEnough, gasPriceWei).map(({ pool }) => pool);
  const pools = quoted.length > 0 ? quoted : deepEnough.slice(0, 1).map(({ pool }) => pool);
  return pools.filter((pool, index) => pools.findIndex(({ exchangeId }) => exchangeId === pool.exchangeId) === index);
}

/**
 * Tries one after the other with an order's own size, until one trades: what is wrong with one exchange says nothing of the
 * others, and orders are placed where they are not refused.
 */
async function tryTrades(chain: ConnectedChain, pools: readonly Pool[]): Promise<TradeFact | undefined> {
  let first: TradeFact | undefined;
  for (const pool of pools) {
    const verdict = await probeTrade(chain.client, chain.market.exchangeOf(pool), pool, STANDARD_ORDER_WEI);
    const trade = { exchangeId: pool.exchangeId, ...verdict };
    if (trade.kind === 'tradable') return trade;
    first ??= trade;
  }
  return first;
}
