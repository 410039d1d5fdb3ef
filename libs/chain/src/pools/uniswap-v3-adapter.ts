import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem';
import { erc20Abi } from '../abi/erc20.ts';
import {
  v3FactoryAbi,
  v3PoolAbi,
  v3QuoterV1Abi,
  v3QuoterV2Abi,
  v3Router02Abi,
  v3RouterWithDeadlineAbi,
} from '../abi/uniswap-v3.ts';
import { decodeOrUndefined } from '../decode.ts';
import type { VerifiedV3Exchange } from '../exchanges/exchanges.ts';
import type { Query } from '../query.ts';
import type { BuyOrder, BuyTransaction, ExchangeAdapter, Pool, PoolDepth } from './exchange-adapter.ts';
import { isFirst } from './pair.ts';
import { v3LiquidityWei } from './v3-liquidity.ts';

/** A first buy of a plain token, measured. */
const TYPICAL_GAS = 161_000n;

/** A later one, measured: the mean of a job's thousands. */
const LATER_GAS = 104_000n;

/** Each initialised tick that a buy crosses takes some 25,000 more. */
const BUY_GAS_LIMIT = 230_000n;

const NO_PRICE_LIMIT = 0n;

/** Exchanges of the Uniswap V3 shape. */
export class UniswapV3Adapter implements ExchangeAdapter {
  readonly exchange: VerifiedV3Exchange;

  readonly typicalGas = TYPICAL_GAS;
  readonly laterGas = LATER_GAS;

  constructor(exchange: VerifiedV3Exchange) {
    this.exchange = exchange;
  }

  poolsOf(token: Address): Query<readonly Pool[]> {
    const { id, kind, factory, wrappedNative, feeTiers } = this.exchange;
    return {
      calls: feeTiers.map((fee) => ({
        to: factory,
        data: encodeFunctionData({ abi: v3FactoryAbi, functionName: 'getPool', args: [token, wrappedNative, fee] }),
      })),
      decode: (returned) =>
        feeTiers.flatMap((feeTier, index) => {
          const address = decodeOrUndefined(v3FactoryAbi, 'getPool', returned[index]);
          return address && address !== zeroAddress ? [{ exchangeId: id, kind, address, token, feeTier }] : [];
        }),
    };
  }

  depthOf(pool: Pool): Query<PoolDepth> {
    const { wrappedNative } = this.exchange;
    const balanceData = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [pool.address] });
    return {
      calls: [
        { to: pool.address, data: encodeFunctionData({ abi: v3PoolAbi, functionName: 'slot0' }) },
        { to: pool.address, data: encodeFunctionData({ abi: v3PoolAbi, functionName: 'liquidity' }) },
        { to: wrappedNative, data: balanceData },
      ],
      decode: ([slot0, liquidity, balance]) => ({
        liquidityWei: v3LiquidityWei({
          sqrtPriceX96: decodeOrUndefined(v3PoolAbi, 'slot0', slot0) ?? 0n,
          liquidity: decodeOrUndefined(v3PoolAbi, 'liquidity', liquidity) ?? 0n,
          wrappedBalanceWei: decodeOrUndefined(erc20Abi, 'balanceOf', balance) ?? 0n,
          wrappedIsToken0: isFirst(wrappedNative, pool.token),
        }),
      }),
    };
  }

  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined> {
    const { quoter, quoterVersion, wrappedNative } = this.exchange;
    const fee = feeTierOf(pool);
    if (quoterVersion === 1) {
      const args = [wrappedNative, pool.token, fee, amountInWei, NO_PRICE_LIMIT] as const;
      const data = encodeFunctionData({ abi: v3QuoterV1Abi, functionName: 'quoteExactInputSingle', args });
      return {
        calls: [{ to: quoter, data }],
        decode: ([returned]) => decodeOrUndefined(v3QuoterV1Abi, 'quoteExactInputSingle', returned) || undefined,
      };
    }
    const parameters = {
      tokenIn: wrappedNative,
      tokenOut: pool.token,
      amountIn: amountInWei,
      fee,
      sqrtPriceLimitX96: NO_PRICE_LIMIT,
    };
    const data = encodeFunctionData({ abi: v3QuoterV2Abi, functionName: 'quoteExactInputSingle', args: [parameters] });
    return {
      calls: [{ to: quoter, data }],
      decode: ([returned]) => decodeOrUndefined(v3QuoterV2Abi, 'quoteExactInputSingle', returned)?.[0] || undefined,
    };
  }

  buyTransaction(order: BuyOrder): BuyTransaction {
    return {
      to: this.exchange.router,
      data: this.exchange.routerHasDeadline ? this.swapWithDeadline(order) : this.swapThroughMulticall(order),
      value: order.amountInWei,
      gasLimit: BUY_GAS_LIMIT,
    };
  }

  private swapWithDeadline(order: BuyOrder): Hex {
    return encodeFunctionData({
      abi: v3RouterWithDeadlineAbi,
      functionName: 'exactInputSingle',
      args: [{ ...this.swap(order), deadline: order.deadlineSeconds }],
    });
  }

  private swapThroughMulticall(order: BuyOrder): Hex {
    const swap = encodeFunctionData({
      abi: v3Router02Abi,
      functionName: 'exactInputSingle',
      args: [this.swap(order)],
    });
    return encodeFunctionData({
      abi: v3Router02Abi,
      functionName: 'multicall',
      args: [order.deadlineSeconds, [swap]],
    });
  }

  private swap({ pool, recipient, amountInWei, minimumTokensOut }: BuyOrder) {
    return {
      tokenIn: this.exchange.wrappedNative,
      tokenOut: pool.token,
      fee: feeTierOf(pool),
      recipient,
      amountIn: amountInWei,
      amountOutMinimum: minimumTokensOut,
      sqrtPriceLimitX96: NO_PRICE_LIMIT,
    };
  }
}

function feeTierOf(pool: Pool): number {
  if (pool.feeTier === undefined) throw new TypeError(`Pool ${pool.address} of ${pool.exchangeId} has no fee tier`);
  return pool.feeTier;
}
