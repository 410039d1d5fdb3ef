import { BUDGET_SPENT, larger, nextOrder } from '@maker/rules';
import { quoted } from '../file/quoted.ts';
import { type Evidence, entryOf, hype } from './evidence.ts';

/** Gas of an order before the service has an estimate. */
const GAS_OF_UNKNOWN_ORDER = 160_000n;

/** Clocks of services and blocks differ by less, ms. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Below this share of the budget, the verdict begins with what was bought, percent. */
const USUAL_PERCENT = 90n;

/** A completed job has bought for its budget, or has bought until its end of trading. Source: design § 4a. */
export function* purpose(evidence: Evidence): Generator<string> {
  const { receipt, split } = evidence;
  const { ending, sums } = receipt;
  if (receipt.state === 'interim' || ending?.kind !== 'completed' || !paysForOrder(evidence)) return;
  const spent = `orders spent ${hype(BigInt(sums.tradedWei))} of ${hype(split.orderBudgetWei)}`;
  const name = `The receipt says that the job completed: ${quoted(ending.message)}`;
  if (ending.message === BUDGET_SPENT) yield `${name}. But ${spent}, and the rest pays for more orders.`;
  else if (sums.ordersFilled === 0) yield `${name}. But it bought nothing.`;
  else if (!isTradingOver(evidence)) yield `${name}. But ${spent}, and trading had not ended.`;
}

/** The first sentence of a verdict if an ended job bought much less than its budget; its ending gives the service's reason. */
export function* bought(evidence: Evidence): Generator<string> {
  const { receipt, split } = evidence;
  const { sums, state, transfers } = receipt;
  if (state === 'interim') return;
  if (sums.boughtTokens === '0') {
    const isPaid = transfers.some(({ kind, succeeded }) => kind === 'fee' && succeeded);
    yield isPaid ? 'The fee was taken and nothing was bought.' : 'Nothing was bought, and no fee was taken.';
    return;
  }
  const { tradedWei, gasWei } = fundsOf(evidence);
  const usedWei = tradedWei + larger(0n, gasWei - split.reserveWei);
  if (usedWei * 100n < split.orderBudgetWei * USUAL_PERCENT && paysForOrder(evidence))
    yield `Only ${hype(tradedWei)} of the order budget of ${hype(split.orderBudgetWei)} bought tokens.`;
}

/** Whether the unspent budget pays for another order, even at the highest gas price of an order. */
function paysForOrder(evidence: Evidence): boolean {
  const { receipt, rules } = evidence;
  const used = receipt.orders.map(({ transactionHash }) => {
    const { gasWei, gasPriceWei } = evidence.transaction(transactionHash);
    return gasPriceWei === 0n ? 0n : gasWei / gasPriceWei;
  });
  // An estimate may exceed the gas that orders use.
  const gas = used.reduce((most, one) => larger(most, 2n * one), GAS_OF_UNKNOWN_ORDER);
  return nextOrder(fundsOf(evidence), { gas, gasPriceWei: rules.orderGasPriceWei }).kind === 'order';
}

/** The job's money for orders at its end. It counts all gas, so the service had as much or more when it decided. */
function fundsOf({ receipt, split, listed }: Evidence) {
  const gasWei = listed.reduce((sum, one) => sum + BigInt(entryOf(one).gasWei), 0n);
  const { orderBudgetWei, reserveWei } = split;
  return { orderBudgetWei, reserveWei, tradedWei: BigInt(receipt.sums.tradedWei), gasWei };
}

/** Whether the first delivery or return came after the end of trading; true if the wallet sent none. */
function isTradingOver(evidence: Evidence): boolean {
  const { receipt, listed } = evidence;
  const { tradingEndsAt } = receipt.rules;
  if (tradingEndsAt === null) return false;
  const first = listed.find((one) => 'transfer' in one && ['delivery', 'return'].includes(one.transfer.kind));
  if (!first) return true;
  const sentAtMs = evidence.transaction(entryOf(first).transactionHash).blockSeconds * 1000;
  return sentAtMs >= Date.parse(tradingEndsAt) - CLOCK_TOLERANCE_MS;
}
