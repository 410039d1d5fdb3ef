import { larger, STANDARD_ORDER_WEI, sampleAmounts, smaller, type TokenLimits } from '@maker/rules';
import type { ChainClient } from '../client.ts';
import type { PoolLiquidity } from '../shapes/exchange-adapter.ts';
import { adapterOf, type VerifiedExchange } from '../shapes/shapes.ts';
import { callFromFundedAddress } from './probe-trade.ts';
import { NEVER_SECONDS, runSteps, type TrialCall } from './trial-call.ts';

/** Purchases of an accepted size after a refused one, at most: a token that takes them all limits one purchase, and not the wallet. */
const MOST_REPEATED = 32n;

/**
 * Buys what a whole job buys, in one wallet and one `eth_call`: two orders of the usual size, then purchases that double up to the
 * budget. Shows limits of a token that one order does not meet: on what a wallet holds, and on how often it buys. Multicall3 is
 * the wallet. Where a purchase is refused, a second call repeats the largest that was taken. Source: docs/adr/0094.
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
  const adapter = adapterOf(exchange);
  const purchase = (amountInWei: bigint) =>
    adapter.buyTransaction({
      pool,
      amountInWei,
      minimumTokensOut: 0n,
      recipient: multicall3,
      deadlineSeconds: NEVER_SECONDS,
    });
  const send = (call: TrialCall) => callFromFundedAddress(client, call, [exchange.wrappedNative]);
  const takenOf = async (amounts: readonly bigint[]) => {
    const steps = await runSteps(send, multicall3, amounts.map(purchase));
    const refusedAt = steps.findIndex(({ success }) => !success);
    return refusedAt < 0 ? amounts : amounts.slice(0, refusedAt);
  };
  const wholeWei = smaller(budgetWei, liquidityWei);
  // They come to about the whole together.
  const amounts = [STANDARD_ORDER_WEI, ...sampleAmounts(wholeWei / 2n)];
  const taken = await takenOf(amounts);
  const largest = taken.at(-1);
  if (largest === undefined) return undefined;
  if (taken.length === 1) return { refusesSecond: true };
  if (taken.length === amounts.length) return { refusesSecond: false };
  const repeats = Number(smaller(MOST_REPEATED, larger((wholeWei - sumOf(taken)) / largest, 1n)));
  const repeated = [...taken, ...Array.from({ length: repeats }, () => largest)];
  const takenAgain = await takenOf(repeated);
  return takenAgain.length === repeated.length
    ? { refusesSecond: false }
    : { refusesSecond: false, mostSpentWei: sumOf(takenAgain) };
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, wei) => sum + wei, 0n);
}
