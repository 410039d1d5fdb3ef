import type { Address } from 'viem';
import { callEncoder, decodeOrUndefined } from '../../decode.ts';
import type { Call, Query } from '../../query.ts';
import type { BuyOrder, BuyTransaction, ExchangeAdapter, Pool, PoolDepth, TrialSale } from '../exchange-adapter.ts';
import { amountsOut, isFirst, pairOf, routedAmount } from '../pair.ts';
import { type UniswapV2Exchange, v2PairAbi, v2RouterAbi } from './uniswap-v2-exchange.ts';

const reservesData = callEncoder(v2PairAbi, 'getReserves');
const buyData = callEncoder(v2RouterAbi, 'swapExactETHForTokensSupportingFeeOnTransferTokens');
const saleData = callEncoder(v2RouterAbi, 'swapExactTokensForETHSupportingFeeOnTransferTokens');

/** The rest is for tokens with dearer transfers. */
const BUY_GAS_LIMIT = 190_000n;

/** Exchanges of the Uniswap V2 shape. */
export class UniswapV2Adapter implements ExchangeAdapter {
  readonly exchange: UniswapV2Exchange;
  /** A first buy of a plain token, measured. */
  readonly typicalGas = 133_000n;
  /** A later one, measured: the mean of a job's thousands. */
  readonly laterGas = 95_000n;

  constructor(exchange: UniswapV2Exchange) {
    this.exchange = exchange;
  }

  poolsOf(token: Address): Query<readonly Pool[]> {
    return pairOf(this.exchange, token);
  }

  depthOf(pool: Pool): Query<PoolDepth> {
    return {
      calls: [{ to: pool.address, data: reservesData() }],
      decode: ([returned]) => {
        const [reserve0, reserve1] = decodeOrUndefined(v2PairAbi, 'getReserves', returned) ?? [0n, 0n];
        return { liquidityWei: isFirst(this.exchange.wrappedNative, pool.token) ? reserve0 : reserve1 };
      },
    };
  }

  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined> {
    return {
      calls: [amountsOut(this.exchange, amountInWei, [this.exchange.wrappedNative, pool.token])],
      decode: ([returned]) => routedAmount(returned),
    };
  }

  /** Through the swap that holds the minimum to what arrives, not to what the pair sends. */
  buyTransaction({ pool, amountInWei, minimumTokensOut, recipient, deadlineSeconds }: BuyOrder): BuyTransaction {
    const path = [this.exchange.wrappedNative, pool.token];
    return {
      to: this.exchange.router,
      data: buyData(minimumTokensOut, path, recipient, deadlineSeconds),
      value: amountInWei,
      gasLimit: BUY_GAS_LIMIT,
    };
  }

  quoteSale(pool: Pool, amount: bigint): Query<bigint> {
    return {
      calls: [amountsOut(this.exchange, amount, [pool.token, this.exchange.wrappedNative])],
      decode: ([returned]) => routedAmount(returned) ?? 0n,
    };
  }

  /** Through the variant that tolerates a fee, so that a taxed sale shows as less money and not as a revert. */
  saleCall({ pool, amount, recipient, deadlineSeconds }: TrialSale): Call {
    const path = [pool.token, this.exchange.wrappedNative];
    return {
      to: this.exchange.router,
      data: saleData(amount, 0n, path, recipient, deadlineSeconds),
    };
  }
}
