import { STANDARD_ORDER_WEI, sampleAmounts, smaller, type TokenLimits } from '@maker/rules';
import type { ChainClient } from '../client.ts';
import type { PoolLiquidity } from '../shapes/exchange-adapter.ts';
import { adapterOf, type VerifiedExchange } from '../shapes/shapes.ts';
import { callFromFundedAddress } from './probe-trade.ts';
import { NEVER_SECONDS, type TrialCall } from './trial-call.ts';
import { runSteps } from './trial-steps.ts';

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
  const adapter = adapterOf(exchange);
  const purchases = amounts.map((amountInWei) =>
    adapter.buyTransaction({
      pool,
      amountInWei,
      minimumTokensOut: 0n,
      recipient: multicall3,
      deadlineSeconds: NEVER_SECONDS,
    }),
  );
  const send = (call: TrialCall) => callFromFundedAddress(client, call, [exchange.wrappedNative]);
  const refusedAt = (await runSteps(send, multicall3, purchases)).findIndex(({ success }) => !success);
  if (refusedAt === 0) return undefined;
  if (refusedAt === 1) return { refusesSecond: true };
  if (refusedAt < 0) return { refusesSecond: false };
  return { refusesSecond: false, mostSpentWei: amounts.slice(0, refusedAt).reduce((sum, wei) => sum + wei, 0n) };
}
