import { type Address, encodeFunctionData, toFunctionSelector, zeroAddress } from 'viem';
import { callEncoder, decodeOrUndefined } from '../../decode.ts';
import type { Call, Query } from '../../query.ts';
import { concentratedDepth } from '../concentrated-liquidity.ts';
import type { BuyOrder, BuyTransaction, ExchangeAdapter, Pool, PoolDepth, TrialSale } from '../exchange-adapter.ts';
import { poolIn } from '../exchange-entry.ts';
import {
  type AlgebraIntegralExchange,
  algebraFactoryAbi,
  algebraPoolAbi,
  algebraQuoterAbi,
  algebraRouterAbi,
} from './algebra-integral-exchange.ts';

const stateData = callEncoder(algebraPoolAbi, 'globalState');
const quoteData = callEncoder(algebraQuoterAbi, 'quoteExactInputSingle');
const swapData = callEncoder(algebraRouterAbi, 'exactInputSingle');

/** Each initialised tick that a buy crosses takes some 25,000 more, and plugins compute for each swap. */
const BUY_GAS_LIMIT = 320_000n;

const NO_PRICE_LIMIT = 0n;

/** The pools that the factory itself makes, and not those of a custom deployer. */
const STANDARD_POOL = zeroAddress;

/** Exchanges of Algebra Integral. The quoter runs the pool's plugin, so that a quote has the fee of the next swap in it. */
export class AlgebraIntegralAdapter implements ExchangeAdapter {
  readonly exchange: AlgebraIntegralExchange;
  /** A first buy of a plain token, measured with the plugin of the local chain. */
  readonly typicalGas = 171_000n;
  /** A later one, measured so. Plugins of mainnet that keep a history take more. */
  readonly laterGas = 120_000n;
  /** `insufficientInputAmount()` of the pool. */
  readonly underpaid = toFunctionSelector('insufficientInputAmount()');

  constructor(exchange: AlgebraIntegralExchange) {
    this.exchange = exchange;
  }

  poolsOf(token: Address): Query<readonly Pool[]> {
    const { id, factory, wrappedNative } = this.exchange;
    const args = [token, wrappedNative] as const;
    return {
      calls: [{ to: factory, data: encodeFunctionData({ abi: algebraFactoryAbi, args }) }],
      decode: ([returned]) => {
        const address = poolIn(returned);
        return address ? [{ exchangeId: id, address, token }] : [];
      },
    };
  }

  depthOf(pool: Pool): Query<PoolDepth> {
    return concentratedDepth(pool, this.exchange.wrappedNative, stateData(), (returned) =>
      decodeOrUndefined(algebraPoolAbi, 'globalState', returned),
    );
  }

  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined> {
    return this.quote(this.exchange.wrappedNative, pool.token, amountInWei);
  }

  buyTransaction({ pool, amountInWei, minimumTokensOut, recipient, deadlineSeconds }: BuyOrder): BuyTransaction {
    const swap = {
      tokenIn: this.exchange.wrappedNative,
      tokenOut: pool.token,
      recipient,
      deadline: deadlineSeconds,
      amountIn: amountInWei,
      amountOutMinimum: minimumTokensOut,
    };
    return { ...this.swapCall(swap), value: amountInWei, gasLimit: BUY_GAS_LIMIT };
  }

  quoteSale(pool: Pool, amount: bigint): Query<bigint> {
    const { calls, decode } = this.quote(pool.token, this.exchange.wrappedNative, amount);
    return { calls, decode: (returned) => decode(returned) ?? 0n };
  }

  /** It pays in wrapped HYPE. */
  saleCall({ pool, amount, recipient, deadlineSeconds }: TrialSale): Call {
    return this.swapCall({
      tokenIn: pool.token,
      tokenOut: this.exchange.wrappedNative,
      recipient,
      deadline: deadlineSeconds,
      amountIn: amount,
      amountOutMinimum: 0n,
    });
  }

  private quote(tokenIn: Address, tokenOut: Address, amountIn: bigint): Query<bigint | undefined> {
    const parameters = { tokenIn, tokenOut, deployer: STANDARD_POOL, amountIn, limitSqrtPrice: NO_PRICE_LIMIT };
    return {
      calls: [{ to: this.exchange.quoter, data: quoteData(parameters) }],
      decode: ([returned]) => decodeOrUndefined(algebraQuoterAbi, 'quoteExactInputSingle', returned)?.[0] || undefined,
    };
  }

  private swapCall(swap: Swap): Call {
    const parameters = { ...swap, deployer: STANDARD_POOL, limitSqrtPrice: NO_PRICE_LIMIT };
    return { to: this.exchange.router, data: swapData(parameters) };
  }
}

interface Swap {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly recipient: Address;
  readonly deadline: bigint;
  readonly amountIn: bigint;
  readonly amountOutMinimum: bigint;
}
