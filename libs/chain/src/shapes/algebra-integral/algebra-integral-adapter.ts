import { type Address, toFunctionSelector, zeroAddress } from 'viem';
import { callEncoder, decodeOrUndefined } from '../../decode.ts';
import type { Call, Query } from '../../query.ts';
import { ConcentratedAdapter, type RouterSwap } from '../concentrated-adapter.ts';
import { onePool, type Pool } from '../exchange-adapter.ts';
import {
  ALGEBRA_GAS,
  type AlgebraIntegralExchange,
  algebraPoolQuery,
  algebraQuoterAbi,
  algebraRouterAbi,
} from './algebra-integral-exchange.ts';

const quoteData = callEncoder(algebraQuoterAbi, 'quoteExactInputSingle');
const swapData = callEncoder(algebraRouterAbi, 'exactInputSingle');

const NO_PRICE_LIMIT = 0n;

/** The deployer of standard pools, which the factory creates; other pools have a custom deployer. */
const STANDARD_POOL = zeroAddress;

/** Adapter for exchanges of Algebra Integral. The quoter runs the pool's plugin, so a quote includes the fee of the next swap. */
export class AlgebraIntegralAdapter extends ConcentratedAdapter<AlgebraIntegralExchange> {
  readonly typicalGas = ALGEBRA_GAS.first;
  readonly laterGas = ALGEBRA_GAS.later;
  /** `insufficientInputAmount()` of the pool. */
  readonly underpaid = toFunctionSelector('insufficientInputAmount()');
  /** Each initialised tick that a buy crosses uses about 25,000 more, and plugins use gas for each swap. */
  protected readonly buyGasLimit = 320_000n;
  protected readonly stateSelector = toFunctionSelector('globalState()');

  poolsOf(token: Address): Query<readonly Pool[]> {
    return onePool(this.exchange, token, algebraPoolQuery(this.exchange, token, this.exchange.wrappedNative));
  }

  protected quote(_pool: Pool, tokenIn: Address, tokenOut: Address, amountIn: bigint): Query<bigint | undefined> {
    const parameters = { tokenIn, tokenOut, deployer: STANDARD_POOL, amountIn, limitSqrtPrice: NO_PRICE_LIMIT };
    return {
      calls: [{ to: this.exchange.quoter, data: quoteData(parameters) }],
      decode: ([returned]) => decodeOrUndefined(algebraQuoterAbi, 'quoteExactInputSingle', returned)?.[0] || undefined,
    };
  }

  protected swapCall(_pool: Pool, swap: RouterSwap): Call {
    const parameters = { ...swap, deployer: STANDARD_POOL, limitSqrtPrice: NO_PRICE_LIMIT };
    return { to: this.exchange.router, data: swapData(parameters) };
  }
}
