import { larger, STANDARD_ORDER_WEI, sampleAmounts, smaller, type TokenLimits } from '@maker/rules';
import type { ChainClient } from '../client.ts';
import type { PoolLiquidity } from '../shapes/exchange-adapter.ts';
import { adapterOf, type VerifiedExchange } from '../shapes/shapes.ts';
import { callFromFundedAddress } from './probe-trade.ts';
import { NEVER_SECONDS, runSteps, type TrialCall } from './trial-call.ts';

/** Most purchases of an accepted size after a refused one: a token that accepts them all limits one purchase, not the wallet. */
const MOST_REPEATED = 32n;

/**
 * Simulates a whole job's purchases in one wallet and one `eth_call`: two orders of the usual size, then purchases that double up to the
 * budget. It finds limits that one order does not reach: on a wallet's holdings, and on the number of its purchases. Multicall3 is
 * the wallet. After a refused purchase, a second call repeats the largest accepted one. Source: docs/adr/0094.
 * @param budgetWei most that a job spends, wei; the pool's depth limits it
 * @returns undefined where the network has no Multicall3, or the first order fails: the limits are then unknown
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
  // Together they are about the whole amount.
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
