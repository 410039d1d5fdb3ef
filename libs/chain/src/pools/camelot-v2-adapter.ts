import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem';
import { camelotPairAbi, camelotRouterAbi } from '../abi/camelot-v2.ts';
import { decodeOrUndefined } from '../decode.ts';
import type { CamelotV2Exchange } from '../exchanges/exchanges.ts';
import type { Call, Query } from '../query.ts';
import { type CamelotDirection, camelotAmountOut } from './camelot-amount-out.ts';
import type { BuyOrder, BuyTransaction, ExchangeAdapter, Pool, PoolDepth } from './exchange-adapter.ts';
import { isFirst, pairOf } from './pair.ts';

/** The local chain's pair takes 114,000, measured; one on mainnet pays out shares of its fee besides. */
const TYPICAL_GAS = 140_000n;

/** As the local chain's pair: by it a plan counts the gas of all orders but the first. */
const LATER_GAS = 114_000n;

/** The rest is for tokens with dearer transfers. */
const BUY_GAS_LIMIT = 220_000n;

/** Nobody is paid for having brought an order. */
const NO_REFERRER = zeroAddress;

/** Exchanges of the Camelot shape. Stable pairs are refused: what their curve gives is not read from two reserves. */
export class CamelotV2Adapter implements ExchangeAdapter {
  readonly exchange: CamelotV2Exchange;
  readonly typicalGas = TYPICAL_GAS;
  readonly laterGas = LATER_GAS;

  constructor(exchange: CamelotV2Exchange) {
    this.exchange = exchange;
  }

  poolsOf(token: Address): Query<readonly Pool[]> {
    return pairOf(this.exchange, token);
  }

  depthOf(pool: Pool): Query<PoolDepth> {
    return {
      calls: pairReads(pool),
      decode: ([reserves, stable]) => ({
        liquidityWei: this.direction(pool, reserves)?.reserveIn ?? 0n,
        ...(isStable(stable) && { refusal: 'stable_pair' }),
      }),
    };
  }

  /**
   * The lower of what the router quotes and what the pair's reserves and the fee of this direction give: a router that knows
   * nothing of that fee would promise what the pair does not pay.
   */
  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined> {
    const args = [amountInWei, [this.exchange.wrappedNative, pool.token]] as const;
    const data = encodeFunctionData({ abi: camelotRouterAbi, functionName: 'getAmountsOut', args });
    return {
      calls: [...pairReads(pool), { to: this.exchange.router, data }],
      decode: ([reserves, stable, amounts]) => {
        const direction = this.direction(pool, reserves);
        const routed = decodeOrUndefined(camelotRouterAbi, 'getAmountsOut', amounts)?.[1];
        if (!direction || isStable(stable) || !routed) return undefined;
        const given = camelotAmountOut(amountInWei, direction);
        if (routed < given) return routed;
        return given || undefined;
      },
    };
  }

  buyTransaction({ pool, amountInWei, minimumTokensOut, recipient, deadlineSeconds }: BuyOrder): BuyTransaction {
    const path = [this.exchange.wrappedNative, pool.token];
    return {
      to: this.exchange.router,
      data: encodeFunctionData({
        abi: camelotRouterAbi,
        functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
        args: [minimumTokensOut, path, recipient, NO_REFERRER, deadlineSeconds],
      }),
      value: amountInWei,
      gasLimit: BUY_GAS_LIMIT,
    };
  }

  /** The pair as a buy with wrapped HYPE sees it. */
  private direction({ token }: Pool, returned: Hex | undefined): CamelotDirection | undefined {
    const pair = decodeOrUndefined(camelotPairAbi, 'getReserves', returned);
    if (!pair) return undefined;
    const [reserve0, reserve1, token0FeePercent, token1FeePercent] = pair;
    return isFirst(this.exchange.wrappedNative, token)
      ? { reserveIn: reserve0, reserveOut: reserve1, feePercent: token0FeePercent }
      : { reserveIn: reserve1, reserveOut: reserve0, feePercent: token1FeePercent };
  }
}

function pairReads({ address: to }: Pool): Call[] {
  return [
    { to, data: encodeFunctionData({ abi: camelotPairAbi, functionName: 'getReserves' }) },
    { to, data: encodeFunctionData({ abi: camelotPairAbi, functionName: 'stableSwap' }) },
  ];
}

/** A pair that does not say that it is on the x·y curve is not taken for one that is. */
function isStable(returned: Hex | undefined): boolean {
  return decodeOrUndefined(camelotPairAbi, 'stableSwap', returned) !== false;
}
