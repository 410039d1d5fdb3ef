import { type Address, toFunctionSelector, zeroAddress } from 'viem';
import { callEncoder, decodeOrUndefined } from '../../decode.ts';
import type { Call, Query } from '../../query.ts';
import { ConcentratedAdapter, type RouterSwap } from '../concentrated-adapter.ts';
import { onePool, type Pool } from '../exchange-adapter.ts';
import {
  type AlgebraIntegralExchange,
  algebraPoolQuery,
  algebraQuoterAbi,
  algebraRouterAbi,
} from './algebra-integral-exchange.ts';

const quoteData = callEncoder(algebraQuoterAbi, 'quoteExactInputSingle');
const swapData = callEncoder(algebraRouterAbi, 'exactInputSingle');

const NO_PRICE_LIMIT = 0n;

/** The pools that the factory itself makes, and not those of a custom deployer. */
const STANDARD_POOL = zeroAddress;

/** Exchanges of Algebra Integral. The quoter runs the pool's plugin, so that a quote has the fee of the next swap in it. */
export class AlgebraIntegralAdapter extends ConcentratedAdapter<AlgebraIntegralExchange> {
  /** A first buy of a plain token, measured with the plugin of the local chain. */
  readonly typicalGas = 171_000n;
  /** A later one, measured so. Plugins of mainnet that keep a history take more. */
  readonly laterGas = 120_000n;
  /** `insufficientInputAmount()` of the pool. */
  readonly underpaid = toFunctionSelector('insufficientInputAmount()');
  /** Each initialised tick that a buy crosses takes some 25,000 more, and plugins compute for each swap. */
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
