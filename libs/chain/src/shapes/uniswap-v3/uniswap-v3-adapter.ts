import { type Address, encodeFunctionData } from 'viem';
import { callEncoder, decodeOrUndefined } from '../../decode.ts';
import type { Call, Query } from '../../query.ts';
import { concentratedDepth } from '../concentrated-liquidity.ts';
import type { BuyOrder, BuyTransaction, ExchangeAdapter, Pool, PoolDepth, TrialSale } from '../exchange-adapter.ts';
import { poolIn } from '../exchange-entry.ts';
import {
  type VerifiedV3Exchange,
  v3FactoryAbi,
  v3PoolAbi,
  v3QuoterV1Abi,
  v3QuoterV2Abi,
  v3Router02Abi,
  v3RouterWithDeadlineAbi,
} from './uniswap-v3-exchange.ts';

const slot0Data = callEncoder(v3PoolAbi, 'slot0');
const quoteV1Data = callEncoder(v3QuoterV1Abi, 'quoteExactInputSingle');
const quoteV2Data = callEncoder(v3QuoterV2Abi, 'quoteExactInputSingle');
const swapWithDeadlineData = callEncoder(v3RouterWithDeadlineAbi, 'exactInputSingle');
const swapData = callEncoder(v3Router02Abi, 'exactInputSingle');
const multicallData = callEncoder(v3Router02Abi, 'multicall');

/** Each initialised tick that a buy crosses takes some 25,000 more. */
const BUY_GAS_LIMIT = 230_000n;

const NO_PRICE_LIMIT = 0n;

/** Exchanges of the Uniswap V3 shape. */
export class UniswapV3Adapter implements ExchangeAdapter {
  readonly exchange: VerifiedV3Exchange;
  /** A first buy of a plain token, measured. */
  readonly typicalGas = 161_000n;
  /** A later one, measured: the mean of a job's thousands. */
  readonly laterGas = 104_000n;
  readonly underpaid = 'IIA';

  constructor(exchange: VerifiedV3Exchange) {
    this.exchange = exchange;
  }

  poolsOf(token: Address): Query<readonly Pool[]> {
    const { id, factory, wrappedNative, feeTiers } = this.exchange;
    return {
      calls: feeTiers.map((fee) => ({
        to: factory,
        data: encodeFunctionData({ abi: v3FactoryAbi, functionName: 'getPool', args: [token, wrappedNative, fee] }),
      })),
      decode: (returned) =>
        feeTiers.flatMap((feeTier, index) => {
          const address = poolIn(returned[index]);
          return address ? [{ exchangeId: id, address, token, feeTier }] : [];
        }),
    };
  }

  depthOf(pool: Pool): Query<PoolDepth> {
    return concentratedDepth(pool, this.exchange.wrappedNative, slot0Data(), (returned) =>
      decodeOrUndefined(v3PoolAbi, 'slot0', returned),
    );
  }

  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined> {
    return this.quote(this.exchange.wrappedNative, pool.token, feeTierOf(pool), amountInWei);
  }

  buyTransaction({ pool, amountInWei, minimumTokensOut, recipient, deadlineSeconds }: BuyOrder): BuyTransaction {
    const swap = {
      tokenIn: this.exchange.wrappedNative,
      tokenOut: pool.token,
      fee: feeTierOf(pool),
      recipient,
      amountIn: amountInWei,
      amountOutMinimum: minimumTokensOut,
    };
    return { ...this.swapCall(swap, deadlineSeconds), value: amountInWei, gasLimit: BUY_GAS_LIMIT };
  }

  quoteSale(pool: Pool, amount: bigint): Query<bigint> {
    const { calls, decode } = this.quote(pool.token, this.exchange.wrappedNative, feeTierOf(pool), amount);
    return { calls, decode: (returned) => decode(returned) ?? 0n };
  }

  /** It pays in wrapped HYPE. */
  saleCall({ pool, amount, recipient, deadlineSeconds }: TrialSale): Call {
    const swap = {
      tokenIn: pool.token,
      tokenOut: this.exchange.wrappedNative,
      fee: feeTierOf(pool),
      recipient,
      amountIn: amount,
      amountOutMinimum: 0n,
    };
    return this.swapCall(swap, deadlineSeconds);
  }

  private quote(tokenIn: Address, tokenOut: Address, fee: number, amountIn: bigint): Query<bigint | undefined> {
    const { quoter: to, quoterVersion } = this.exchange;
    const functionName = 'quoteExactInputSingle';
    if (quoterVersion === 1) {
      return {
        calls: [{ to, data: quoteV1Data(tokenIn, tokenOut, fee, amountIn, NO_PRICE_LIMIT) }],
        decode: ([returned]) => decodeOrUndefined(v3QuoterV1Abi, functionName, returned) || undefined,
      };
    }
    const parameters = { tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: NO_PRICE_LIMIT };
    return {
      calls: [{ to, data: quoteV2Data(parameters) }],
      decode: ([returned]) => decodeOrUndefined(v3QuoterV2Abi, functionName, returned)?.[0] || undefined,
    };
  }

  private swapCall(swap: Swap, deadlineSeconds: bigint): Call {
    const { router: to, routerHasDeadline } = this.exchange;
    const parameters = { ...swap, sqrtPriceLimitX96: NO_PRICE_LIMIT };
    if (routerHasDeadline) return { to, data: swapWithDeadlineData({ ...parameters, deadline: deadlineSeconds }) };
    return { to, data: multicallData(deadlineSeconds, [swapData(parameters)]) };
  }
}

interface Swap {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly fee: number;
  readonly recipient: Address;
  readonly amountIn: bigint;
  readonly amountOutMinimum: bigint;
}

function feeTierOf(pool: Pool): number {
  if (pool.feeTier === undefined) throw new TypeError(`Pool ${pool.address} of ${pool.exchangeId} has no fee tier`);
  return pool.feeTier;
}
