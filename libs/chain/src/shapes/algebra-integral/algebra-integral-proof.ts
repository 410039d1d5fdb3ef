import { encodeFunctionData, isAddressEqual, zeroAddress } from 'viem';
import { concentratedTrades } from '../concentrated-swap.ts';
import { decodeCall } from '../decode-call.ts';
import { poolIn } from '../exchange-entry.ts';
import type { Purchase, PurchaseProof } from '../purchase-proof.ts';
import { algebraFactoryAbi, algebraRouterAbi } from './algebra-integral-exchange.ts';
import { algebraSwaps } from './algebra-integral-swaps.ts';

/** How a purchase on Algebra Integral is proven. */
export const algebraIntegralProof: PurchaseProof = {
  readPurchase(input) {
    const call = decodeCall(algebraRouterAbi, input);
    if (!call) return undefined;
    const [swap] = call.args;
    const aside = asideOf(swap);
    return {
      tokenIn: swap.tokenIn,
      tokenOut: swap.tokenOut,
      recipient: swap.recipient,
      minimumTokens: swap.amountOutMinimum,
      amountInWei: swap.amountIn,
      deadlineSeconds: swap.deadline,
      ...(aside && { aside }),
    } satisfies Purchase;
  },
  poolOf({ factory }, { tokenIn, tokenOut }) {
    const args = [tokenOut, tokenIn] as const;
    return {
      calls: [{ to: factory, data: encodeFunctionData({ abi: algebraFactoryAbi, args }) }],
      decode: ([returned]) => poolIn(returned),
    };
  },
  tradesIn: (logs) => concentratedTrades(logs, algebraSwaps),
};

/** What a call does besides a purchase in the standard pool. */
function asideOf({
  deployer,
  limitSqrtPrice,
}: {
  deployer: `0x${string}`;
  limitSqrtPrice: bigint;
}): string | undefined {
  if (!isAddressEqual(deployer, zeroAddress))
    return `buys from a pool of the deployer ${deployer}, not of the exchange`;
  // What the pool does not take stays in the router, where anybody may take it.
  return limitSqrtPrice === 0n ? undefined : 'stops at a price, and leaves in the router what it did not spend';
}
