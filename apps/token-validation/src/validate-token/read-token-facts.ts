import {
  type ConnectedChain,
  isContract,
  type PoolLiquidity,
  probeTrade,
  query,
  type TradeVerdict,
  tokenMetadata,
} from '@maker/chain';
import { ORDER_COST_TARGET_WEI } from '@maker/rules';
import type { Address } from 'viem';
import type { TokenFacts } from '../token/token-facts.ts';

/**
 * Reads what the decision needs: is it a token, how deep are its pools, does it trade like a plain one. Four requests
 * for most tokens, five where a V2 and a V3 pool are tried.
 * @param minimumLiquidityWei pools with less are not tried, wei
 * @throws ChainUnavailableError
 */
export async function readTokenFacts(
  chain: ConnectedChain,
  token: Address,
  minimumLiquidityWei: bigint,
): Promise<TokenFacts> {
  const [metadata, pools] = await Promise.all([
    query(chain.client, tokenMetadata(token)),
    chain.market.liquidity(token),
  ]);
  if (!metadata) return { kind: (await isContract(chain.client, token)) ? 'no_token' : 'no_contract' };
  const trade = await tryTrades(chain, deepestOfEachKind(pools, minimumLiquidityWei));
  return {
    kind: 'token',
    token: metadata,
    pools: pools.map(({ pool, liquidityWei }) => ({ exchangeId: pool.exchangeId, kind: pool.kind, liquidityWei })),
    ...(trade && { trade }),
  };
}

/** A token may treat one pool unlike another, so the best of each kind is tried. */
function deepestOfEachKind(pools: readonly PoolLiquidity[], minimumLiquidityWei: bigint): PoolLiquidity[] {
  const deepEnough = pools.filter(({ liquidityWei }) => liquidityWei > 0n && liquidityWei >= minimumLiquidityWei);
  return deepEnough.filter(
    ({ pool }, index) => deepEnough.findIndex((other) => other.pool.kind === pool.kind) === index,
  );
}

/** Tries each with an order's own size; what is wrong in any of them is wrong with the token. */
async function tryTrades(chain: ConnectedChain, pools: readonly PoolLiquidity[]): Promise<TradeVerdict | undefined> {
  const verdicts = await Promise.all(
    pools.map(({ pool }) => probeTrade(chain.client, chain.market.exchangeOf(pool), pool, ORDER_COST_TARGET_WEI)),
  );
  return verdicts.find((verdict) => verdict.kind !== 'tradable') ?? verdicts[0];
}
