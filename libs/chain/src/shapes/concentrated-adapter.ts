import { type Address, type Hex, parseAbi } from 'viem';
import { erc20Abi } from '../abi/erc20.ts';
import { callEncoder, decodeOrUndefined } from '../decode.ts';
import type { Call, Query } from '../query.ts';
import type { BuyOrder, BuyTransaction, ExchangeAdapter, Pool, PoolDepth, TrialSale } from './exchange-adapter.ts';
import { type ExchangeEntry, isFirst } from './exchange-entry.ts';

/** No pool has `state()`: it serves to decode the first word that `slot0()` and `globalState()` return. */
const poolAbi = parseAbi([
  'function liquidity() view returns (uint128)',
  'function state() view returns (uint160 sqrtPriceX96)',
]);

const liquidityData = callEncoder(poolAbi, 'liquidity');
const balanceOfData = callEncoder(erc20Abi, 'balanceOf');

const Q96 = 2n ** 96n;

/** State of a V3 pool that {@link concentratedLiquidityWei} needs. */
export interface ConcentratedPoolState {
  /** Square root of token1 per token0, as a Q64.96 number; 0 before the pool is initialised. */
  readonly sqrtPriceX96: bigint;
  /** Liquidity in range now. */
  readonly liquidity: bigint;
  /** Wrapped HYPE that the pool holds, wei. */
  readonly wrappedBalanceWei: bigint;
  readonly wrappedIsToken0: boolean;
}

/**
 * HYPE side of a V3 pool: the smaller of its wrapped HYPE and its virtual reserve at the current price.
 * The balance alone counts positions far from the price and uncollected fees, which are not tradable. The virtual
 * reserve alone counts depth that a narrow position only simulates. Neither can inflate the smaller of the two.
 * Source: docs/adr/0001. @returns wei
 */
export function concentratedLiquidityWei(state: ConcentratedPoolState): bigint {
  if (state.sqrtPriceX96 === 0n) return 0n;
  const virtualWei = state.wrappedIsToken0
    ? (state.liquidity * Q96) / state.sqrtPriceX96
    : (state.liquidity * state.sqrtPriceX96) / Q96;
  return virtualWei < state.wrappedBalanceWei ? virtualWei : state.wrappedBalanceWei;
}

/** A swap with the field names of concentrated liquidity routers. Amounts in the smallest unit, deadline in seconds. */
export interface RouterSwap {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly recipient: Address;
  readonly deadline: bigint;
  readonly amountIn: bigint;
  readonly amountOutMinimum: bigint;
}

/** Base of adapters for exchanges with concentrated liquidity; their quoters and routers differ. */
export abstract class ConcentratedAdapter<Entry extends ExchangeEntry> implements ExchangeAdapter {
  readonly exchange: Entry;
  abstract readonly typicalGas: bigint;
  abstract readonly laterGas: bigint;
  abstract readonly underpaid: string;
  protected abstract readonly buyGasLimit: bigint;
  /** Selector of the pool's function whose first word is the square root of its price; versions differ in the later words. */
  protected abstract readonly stateSelector: Hex;

  constructor(exchange: Entry) {
    this.exchange = exchange;
  }

  abstract poolsOf(token: Address): Query<readonly Pool[]>;

  /** Quotes an amount of one of a pool's two tokens. */
  protected abstract quote(
    pool: Pool,
    tokenIn: Address,
    tokenOut: Address,
    amountIn: bigint,
  ): Query<bigint | undefined>;

  protected abstract swapCall(pool: Pool, swap: RouterSwap): Call;

  depthOf(pool: Pool): Query<PoolDepth> {
    const { wrappedNative } = this.exchange;
    return {
      calls: [
        { to: pool.address, data: this.stateSelector },
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

  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined> {
    return this.quote(pool, this.exchange.wrappedNative, pool.token, amountInWei);
  }

  buyTransaction({ pool, amountInWei, minimumTokensOut, recipient, deadlineSeconds }: BuyOrder): BuyTransaction {
    const swap = this.swapCall(pool, {
      tokenIn: this.exchange.wrappedNative,
      tokenOut: pool.token,
      recipient,
      deadline: deadlineSeconds,
      amountIn: amountInWei,
      amountOutMinimum: minimumTokensOut,
    });
    return { ...swap, value: amountInWei, gasLimit: this.buyGasLimit };
  }

  quoteSale(pool: Pool, amount: bigint): Query<bigint> {
    const { calls, decode } = this.quote(pool, pool.token, this.exchange.wrappedNative, amount);
    return { calls, decode: (returned) => decode(returned) ?? 0n };
  }

  /** The sale pays in wrapped HYPE. */
  saleCall({ pool, amount, recipient, deadlineSeconds }: TrialSale): Call {
    return this.swapCall(pool, {
      tokenIn: pool.token,
      tokenOut: this.exchange.wrappedNative,
      recipient,
      deadline: deadlineSeconds,
      amountIn: amount,
      amountOutMinimum: 0n,
    });
  }
}
