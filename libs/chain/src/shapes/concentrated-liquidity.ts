import { type Address, type Hex, parseAbi } from 'viem';
import { erc20Abi } from '../abi/erc20.ts';
import { callEncoder, decodeOrUndefined } from '../decode.ts';
import type { Query } from '../query.ts';
import type { Pool, PoolDepth } from './exchange-adapter.ts';
import { isFirst } from './pair.ts';

const poolAbi = parseAbi([
  'function liquidity() view returns (uint128)',
  'function state() view returns (uint160 sqrtPriceX96)',
]);

const liquidityData = callEncoder(poolAbi, 'liquidity');
const balanceOfData = callEncoder(erc20Abi, 'balanceOf');

const Q96 = 2n ** 96n;

/** State of a V3 pool as its liquidity figure needs it. */
export interface ConcentratedPoolState {
  /** Square root of token1 per token0, as a Q64.96 number; 0 before the pool is initialised. */
  readonly sqrtPriceX96: bigint;
  /** In range now. */
  readonly liquidity: bigint;
  /** Wrapped HYPE that the pool holds, wei. */
  readonly wrappedBalanceWei: bigint;
  readonly wrappedIsToken0: boolean;
}

/**
 * HYPE side of a V3 pool: the smaller of the wrapped HYPE it holds and its virtual reserve at the current price.
 * The balance alone counts positions far from the price and uncollected fees, which trade with nobody; the virtual
 * reserve alone counts depth that a narrow position pretends to have. Neither can inflate the smaller of the two.
 * Source: docs/adr/0001. @returns wei
 */
export function concentratedLiquidityWei(state: ConcentratedPoolState): bigint {
  if (state.sqrtPriceX96 === 0n) return 0n;
  const virtualWei = state.wrappedIsToken0
    ? (state.liquidity * Q96) / state.sqrtPriceX96
    : (state.liquidity * state.sqrtPriceX96) / Q96;
  return virtualWei < state.wrappedBalanceWei ? virtualWei : state.wrappedBalanceWei;
}

/**
 * How deep a pool with concentrated liquidity is.
 * @param stateSelector of the pool's function whose first word is the root of its price; versions differ in the words after it
 */
export function concentratedDepth(pool: Pool, wrappedNative: Address, stateSelector: Hex): Query<PoolDepth> {
  return {
    calls: [
      { to: pool.address, data: stateSelector },
      { to: pool.address, data: liquidityData() },
      { to: wrappedNative, data: balanceOfData(pool.address) },
    ],
    decode: ([state, liquidity, balance]) => ({
      liquidityWei: concentratedLiquidityWei({
        sqrtPriceX96: decodeOrUndefined(poolAbi, 'state', state) ?? 0n,
        liquidity: decodeOrUndefined(poolAbi, 'liquidity', liquidity) ?? 0n,
        wrappedBalanceWei: decodeOrUndefined(erc20Abi, 'balanceOf', balance) ?? 0n,
        wrappedIsToken0: isFirst(wrappedNative, pool.token),
      }),
    }),
  };
}
