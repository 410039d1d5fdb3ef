import { type Address, encodeFunctionData, type Hex } from 'viem';
import { concentratedTrades } from '../concentrated-swap.ts';
import { decodeCall } from '../decode-call.ts';
import { poolIn } from '../exchange-entry.ts';
import type { Purchase, PurchaseProof } from '../purchase-proof.ts';
import { v3FactoryAbi, v3Router02Abi, v3RouterWithDeadlineAbi } from './uniswap-v3-exchange.ts';

/** How a purchase on the Uniswap V3 shape is proven. */
export const uniswapV3Proof: PurchaseProof = {
  readPurchase: (input) => readWithDeadline(input) ?? readMulticall(input),
  poolOf({ factory }, { tokenIn, tokenOut, feeTier }) {
    const args = [tokenOut, tokenIn, feeTier ?? 0] as const;
    return {
      calls: [{ to: factory, data: encodeFunctionData({ abi: v3FactoryAbi, functionName: 'getPool', args }) }],
      decode: ([returned]) => poolIn(returned),
    };
  },
  tradesIn: concentratedTrades,
};

function readWithDeadline(input: Hex): Purchase | undefined {
  const call = decodeCall(v3RouterWithDeadlineAbi, input);
  if (!call) return undefined;
  const [swap] = call.args;
  return purchaseOf(swap, swap.deadline);
}

/** One swap inside a call that holds the deadline; two would be another purchase. */
function readMulticall(input: Hex): Purchase | undefined {
  const call = decodeCall(v3Router02Abi, input);
  if (call?.functionName !== 'multicall') return undefined;
  const [deadlineSeconds, [data, ...more]] = call.args;
  const swap = data && more.length === 0 ? decodeCall(v3Router02Abi, data) : undefined;
  return swap?.functionName === 'exactInputSingle' ? purchaseOf(swap.args[0], deadlineSeconds) : undefined;
}

interface Swap {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly fee: number;
  readonly recipient: Address;
  readonly amountIn: bigint;
  readonly amountOutMinimum: bigint;
  readonly sqrtPriceLimitX96: bigint;
}

function purchaseOf(swap: Swap, deadlineSeconds: bigint): Purchase {
  const { tokenIn, tokenOut, recipient, fee: feeTier, amountIn, amountOutMinimum, sqrtPriceLimitX96 } = swap;
  // What the pool does not take stays in the router, where anybody may take it.
  const aside =
    sqrtPriceLimitX96 === 0n ? undefined : 'stops at a price, and leaves in the router what it did not spend';
  return {
    tokenIn,
    tokenOut,
    recipient,
    minimumTokens: amountOutMinimum,
    amountInWei: amountIn,
    deadlineSeconds,
    feeTier,
    ...(aside && { aside }),
  };
}
