import { STANDARD_ORDER_WEI, sampleAmounts, smaller, type TokenLimits } from '@maker/rules';
import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem';
import { multicall3Abi } from '../abi/multicall3.ts';
import type { ChainClient } from '../client.ts';
import type { PoolLiquidity } from '../shapes/exchange-adapter.ts';
import { adapterOf, type VerifiedExchange } from '../shapes/shapes.ts';
import { callFromFundedAddress } from './probe-trade.ts';
import { NEVER_SECONDS } from './trial-call.ts';

/**
 * Buys what a whole job buys, in one wallet and one `eth_call`: two orders of the usual size, then purchases that double up to the
 * budget. Shows limits of a token that one order does not meet: on what a wallet holds, and on how often it buys. Multicall3 is
 * the wallet. Source: docs/adr/0094.
 * @param budgetWei most that a job spends; the pool's depth, where that is less, wei
 * @returns undefined where the call cannot be made, or the first order fails: then nothing is known
 */
export async function probeLimits(
  client: ChainClient,
  exchange: VerifiedExchange,
  { pool, liquidityWei }: PoolLiquidity,
  budgetWei: bigint,
): Promise<TokenLimits | undefined> {
  const multicall3 = client.chain.contracts?.multicall3?.address;
  if (!multicall3) return undefined;
  // They come to about the whole together.
  const amounts = [STANDARD_ORDER_WEI, ...sampleAmounts(smaller(budgetWei, liquidityWei) / 2n)];
  const calls = amounts.map((amountInWei) => {
    const order = { pool, amountInWei, minimumTokensOut: 0n, recipient: multicall3, deadlineSeconds: NEVER_SECONDS };
    const { to, data, value } = adapterOf(exchange).buyTransaction(order);
    return { target: to, allowFailure: true, value, callData: data };
  });
  const refusedAt = (await tryAll(client, exchange.wrappedNative, multicall3, calls)).indexOf(false);
  if (refusedAt === 0) return undefined;
  if (refusedAt === 1) return { refusesSecond: true };
  if (refusedAt < 0) return { refusesSecond: false };
  return { refusesSecond: false, mostSpentWei: amounts.slice(0, refusedAt).reduce((sum, wei) => sum + wei, 0n) };
}

interface TrialPurchase {
  readonly target: Address;
  readonly allowFailure: boolean;
  readonly value: bigint;
  readonly callData: `0x${string}`;
}

/** Whether each purchase succeeded. */
async function tryAll(
  client: ChainClient,
  wrappedNative: Address,
  multicall3: Address,
  calls: readonly TrialPurchase[],
): Promise<readonly boolean[]> {
  const value = calls.reduce((sum, call) => sum + call.value, 0n);
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3Value', args: [calls] });
  const returned = await callFromFundedAddress(client, { to: multicall3, data, value }, [wrappedNative]);
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3Value', data: returned });
  return results.map(({ success }) => success);
}
