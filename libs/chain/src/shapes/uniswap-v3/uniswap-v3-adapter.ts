import { type Address, toFunctionSelector } from 'viem';
import { callEncoder, decodeOrUndefined } from '../../decode.ts';
import type { Call, Query } from '../../query.ts';
import { ConcentratedAdapter, type RouterSwap } from '../concentrated-adapter.ts';
import type { Pool } from '../exchange-adapter.ts';
import {
  V3_GAS,
  type VerifiedV3Exchange,
  v3QuoterV1Abi,
  v3QuoterV2Abi,
  v3Router02Abi,
  v3RouterWithDeadlineAbi,
} from './uniswap-v3-exchange.ts';
import { v3Pools } from './uniswap-v3-history.ts';

const quoteV1Data = callEncoder(v3QuoterV1Abi, 'quoteExactInputSingle');
const quoteV2Data = callEncoder(v3QuoterV2Abi, 'quoteExactInputSingle');
const swapWithDeadlineData = callEncoder(v3RouterWithDeadlineAbi, 'exactInputSingle');
const swapData = callEncoder(v3Router02Abi, 'exactInputSingle');
const multicallData = callEncoder(v3Router02Abi, 'multicall');

const NO_PRICE_LIMIT = 0n;

/** Adapter for exchanges of the Uniswap V3 shape. */
export class UniswapV3Adapter extends ConcentratedAdapter<VerifiedV3Exchange> {
  readonly typicalGas = V3_GAS.first;
  readonly laterGas = V3_GAS.later;
  readonly underpaid = 'IIA';
  /** Each initialised tick that a buy crosses uses about 25,000 more. */
  protected readonly buyGasLimit = 230_000n;
  protected readonly stateSelector = toFunctionSelector('slot0()');

  poolsOf(token: Address): Query<readonly Pool[]> {
    return v3Pools(this.exchange, token, this.exchange.feeTiers);
  }

  protected quote(pool: Pool, tokenIn: Address, tokenOut: Address, amountIn: bigint): Query<bigint | undefined> {
    const { quoter: to, quoterVersion } = this.exchange;
    const fee = feeTierOf(pool);
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

  protected swapCall(pool: Pool, swap: RouterSwap): Call {
    const { router: to, routerHasDeadline } = this.exchange;
    const parameters = { ...swap, fee: feeTierOf(pool), sqrtPriceLimitX96: NO_PRICE_LIMIT };
    if (routerHasDeadline) return { to, data: swapWithDeadlineData(parameters) };
    return { to, data: multicallData(swap.deadline, [swapData(parameters)]) };
  }
}

function feeTierOf(pool: Pool): number {
  if (pool.feeTier === undefined) throw new TypeError(`Pool ${pool.address} of ${pool.exchangeId} has no fee tier`);
  return pool.feeTier;
}
