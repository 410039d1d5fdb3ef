import type { Address } from 'viem';
import type { Market } from '../pools/market.ts';
import type { Pool } from '../shapes/exchange-adapter.ts';

/** The first pool of a token, or the one on an exchange. */
export async function poolOf(market: Market, token: Address, exchangeId?: string): Promise<Pool> {
  const pools = await market.pools(token);
  const pool = pools.find((candidate) => candidate.exchangeId === (exchangeId ?? candidate.exchangeId));
  if (!pool) throw new Error(`${token} has no pool on ${exchangeId}`);
  return pool;
}
