import type { Address, Hex } from 'viem';
import type { Call, Query } from '../query.ts';
import { concentratedDepth } from './concentrated-liquidity.ts';
import type { BuyOrder, BuyTransaction, ExchangeAdapter, Pool, PoolDepth, TrialSale } from './exchange-adapter.ts';
import type { ExchangeEntry } from './exchange-entry.ts';

/** A swap as routers of concentrated liquidity name its fields. Amounts in the smallest unit, deadline in seconds. */
export interface RouterSwap {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly recipient: Address;
  readonly deadline: bigint;
  readonly amountIn: bigint;
  readonly amountOutMinimum: bigint;
}

/** What adapters of exchanges with concentrated liquidity share; their quoters and routers differ. */
export abstract class ConcentratedAdapter<Entry extends ExchangeEntry> implements ExchangeAdapter {
  readonly exchange: Entry;
  abstract readonly typicalGas: bigint;
  abstract readonly laterGas: bigint;
  abstract readonly underpaid: string;
  protected abstract readonly buyGasLimit: bigint;
  /** Of the pool's function whose first word is the square root of its price. */
  protected abstract readonly stateSelector: Hex;

  constructor(exchange: Entry) {
    this.exchange = exchange;
  }

  abstract poolsOf(token: Address): Query<readonly Pool[]>;

  /** What an amount of one of a pool's two tokens brings. */
  protected abstract quote(
    pool: Pool,
    tokenIn: Address,
    tokenOut: Address,
    amountIn: bigint,
  ): Query<bigint | undefined>;

  protected abstract swapCall(pool: Pool, swap: RouterSwap): Call;

  depthOf(pool: Pool): Query<PoolDepth> {
    return concentratedDepth(pool, this.exchange.wrappedNative, this.stateSelector);
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

  /** It pays in wrapped HYPE. */
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
