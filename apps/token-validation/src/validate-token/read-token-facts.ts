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
 * Reads the facts for the decision: whether it is a token, its pools' depth, and whether it trades like a plain token.
 * Four requests for most tokens, and one more for each exchange on which it does not.
 * @param gasPriceWei wei per gas: gas is part of a standard order's cost
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

/** Best pool of each exchange, the cheapest first. If no deep pool quotes, returns the deepest: its trial gives the reason. */
function bestOfEachExchange(market: Market, surveys: readonly PoolSurvey[], gasPriceWei: bigint): readonly Pool[] {
  const deepEnough = surveys.filter(
    ({ liquidityWei, refusal }) => !refusal && liquidityWei > 0n && liquidityWei >= MINIMUM_LIQUIDITY_WEI,
  );
  const quoted = market.ranked(deepEnough, gasPriceWei).map(({ pool }) => pool);
  const pools = quoted.length > 0 ? quoted : deepEnough.slice(0, 1).map(({ pool }) => pool);
  return pools.filter((pool, index) => pools.findIndex(({ exchangeId }) => exchangeId === pool.exchangeId) === index);
}

/**
 * Tries the pools in order with the size of a standard order, until one trades. A fault of one exchange proves nothing about the
 * others, and the executor orders on an exchange that works.
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
