import { type Address, encodeFunctionData, zeroAddress } from 'viem';
import { camelotPairAbi, camelotRouterAbi } from '../abi/camelot-v2.ts';
import { v2RouterAbi } from '../abi/uniswap-v2.ts';
import { v3QuoterV1Abi, v3QuoterV2Abi, v3Router02Abi, v3RouterWithDeadlineAbi } from '../abi/uniswap-v3.ts';
import { decodeOrUndefined } from '../decode.ts';
import type { VerifiedExchange, VerifiedV3Exchange } from '../exchanges/exchanges.ts';
import { camelotAmountOut } from '../pools/camelot-amount-out.ts';
import type { Pool } from '../pools/exchange-adapter.ts';
import { isFirst } from '../pools/pair.ts';
import type { Call, Query } from '../query.ts';

const NO_LIMIT = 0n;

/** No block is as late. */
export const NEVER_SECONDS = 2n ** 40n;

/** A sale of the token, which only trials make. V3 pays in wrapped HYPE, pairs in native. */
export function saleOf(
  exchange: VerifiedExchange,
  { token, feeTier: fee = 0 }: Pool,
  amount: bigint,
  recipient: Address,
): Call {
  const { router: to, wrappedNative } = exchange;
  const path = [token, wrappedNative];
  switch (exchange.kind) {
    case 'uniswap-v2': {
      const args = [amount, NO_LIMIT, path, recipient, NEVER_SECONDS] as const;
      const functionName = 'swapExactTokensForETHSupportingFeeOnTransferTokens';
      return { to, data: encodeFunctionData({ abi: v2RouterAbi, functionName, args }) };
    }
    case 'camelot-v2': {
      const args = [amount, NO_LIMIT, path, recipient, zeroAddress, NEVER_SECONDS] as const;
      const functionName = 'swapExactTokensForETHSupportingFeeOnTransferTokens';
      return { to, data: encodeFunctionData({ abi: camelotRouterAbi, functionName, args }) };
    }
    case 'uniswap-v3': {
      const swap = {
        tokenIn: token,
        tokenOut: wrappedNative,
        fee,
        recipient,
        amountIn: amount,
        amountOutMinimum: NO_LIMIT,
        sqrtPriceLimitX96: NO_LIMIT,
      };
      const functionName = 'exactInputSingle';
      const data = exchange.routerHasDeadline
        ? encodeFunctionData({
            abi: v3RouterWithDeadlineAbi,
            functionName,
            args: [{ ...swap, deadline: NEVER_SECONDS }],
          })
        : encodeFunctionData({ abi: v3Router02Abi, functionName, args: [swap] });
      return { to, data };
    }
  }
}

/** What a sale would bring of a token without a fee, wei; 0 where the exchange does not say. */
export function quoteSale(exchange: VerifiedExchange, pool: Pool, amount: bigint): Query<bigint> {
  if (exchange.kind === 'uniswap-v3') return quoteV3Sale(exchange, pool, amount);
  const path = [pool.token, exchange.wrappedNative];
  const data = encodeFunctionData({ abi: v2RouterAbi, functionName: 'getAmountsOut', args: [amount, path] });
  const reserves = encodeFunctionData({ abi: camelotPairAbi, functionName: 'getReserves' });
  return {
    calls: [
      { to: exchange.router, data },
      { to: pool.address, data: reserves },
    ],
    decode: ([amounts, pair]) => {
      const routed = decodeOrUndefined(v2RouterAbi, 'getAmountsOut', amounts)?.[1] ?? 0n;
      if (exchange.kind === 'uniswap-v2') return routed;
      const [reserve0, reserve1, fee0, fee1] = decodeOrUndefined(camelotPairAbi, 'getReserves', pair) ?? [0n, 0n, 0, 0];
      const given = isFirst(pool.token, exchange.wrappedNative)
        ? camelotAmountOut(amount, { reserveIn: reserve0, reserveOut: reserve1, feePercent: fee0 })
        : camelotAmountOut(amount, { reserveIn: reserve1, reserveOut: reserve0, feePercent: fee1 });
      return given < routed ? given : routed;
    },
  };
}

function quoteV3Sale(exchange: VerifiedV3Exchange, { token, feeTier: fee = 0 }: Pool, amount: bigint): Query<bigint> {
  const { quoter: to, quoterVersion, wrappedNative } = exchange;
  const functionName = 'quoteExactInputSingle';
  if (quoterVersion === 1) {
    const args = [token, wrappedNative, fee, amount, NO_LIMIT] as const;
    return {
      calls: [{ to, data: encodeFunctionData({ abi: v3QuoterV1Abi, functionName, args }) }],
      decode: ([returned]) => decodeOrUndefined(v3QuoterV1Abi, functionName, returned) ?? 0n,
    };
  }
  const parameters = { tokenIn: token, tokenOut: wrappedNative, amountIn: amount, fee, sqrtPriceLimitX96: NO_LIMIT };
  return {
    calls: [{ to, data: encodeFunctionData({ abi: v3QuoterV2Abi, functionName, args: [parameters] }) }],
    decode: ([returned]) => decodeOrUndefined(v3QuoterV2Abi, functionName, returned)?.[0] ?? 0n,
  };
}
