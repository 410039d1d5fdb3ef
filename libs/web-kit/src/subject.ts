import type { JobPlan } from '@maker/contracts';
import { formatHype, formatHypeShort, formatUnits, larger, shortenAddress, smaller, splitDeposit } from '@maker/rules';
import type { ValidatedToken } from './wizard/open-job.ts';

/** What a budget buys, what it costs and what comes back. */
export interface Subject {
  /** Of the token; absent while it is unknown. */
  readonly symbol?: string | undefined;
  readonly address: string;
  readonly shortAddress: string;
  /** The purchase, the fee and the return in a few words each; none without a budget. */
  readonly texts: readonly string[];
  /** The same as shares of the budget, for a drawing: they sum to about 1. */
  readonly shares: readonly number[];
  /** Says that the fee is more than what tokens are bought for; absent otherwise. */
  readonly warning?: string;
}

/**
 * The subject of a job, from the plan that the server answers; before its answer, budget and fee by the rules alone.
 * Source: design § 4a. @param budgetWei wei; undefined without a choice
 */
export function subjectOf(
  { tokenAddress, token }: ValidatedToken,
  plan?: JobPlan,
  budgetWei: bigint | undefined = plan && BigInt(plan.depositWei),
): Subject {
  const symbol = plan?.token.symbol ?? token?.symbol;
  const named = { symbol, address: tokenAddress, shortAddress: shortenAddress(tokenAddress) };
  if (budgetWei === undefined) return { ...named, texts: [], shares: [] };
  if (!plan) {
    const { feeWei } = splitDeposit(budgetWei);
    return { ...named, texts: [`${formatHype(budgetWei)} HYPE`, feeText(feeWei)], shares: [] };
  }
  const spentWei = spentOf(plan);
  const feeWei = BigInt(plan.feeWei);
  const gasWei = BigInt(plan.gas.ordersWei) + BigInt(plan.gas.transfersWei);
  const returnedWei = larger(0n, budgetWei - feeWei - spentWei - gasWei);
  const share = (wei: bigint) => Number((wei * 1000n) / larger(1n, budgetWei)) / 1000;
  return {
    ...named,
    texts: [
      `${formatHype(budgetWei)} HYPE buys ${boughtText(plan, spentWei)}`,
      feeText(feeWei),
      returnedWei < ROUND_WEI / 2n ? 'nothing comes back' : `about ${rounded(returnedWei)} comes back`,
    ],
    shares: [spentWei + gasWei, feeWei, returnedWei].map(share),
    ...(feeWei > spentWei && {
      warning: `The fee, ${short(feeWei)} HYPE, is more than the ${short(spentWei)} HYPE that buys tokens.`,
    }),
  };
}

/** The part of the budget that buys tokens, wei: limited by the pools and by the token's limit for one wallet. */
export function spentOf({ spendableWei, orderBudgetWei, tokenTakesWei = spendableWei }: JobPlan): bigint {
  return [BigInt(spendableWei), BigInt(tokenTakesWei)].reduce(smaller, BigInt(orderBudgetWei));
}

/** 0.01 HYPE: more digits would suggest an accuracy that a plan does not have. */
const ROUND_WEI = 10n ** 16n;

function rounded(wei: bigint): string {
  return formatHype(((wei + ROUND_WEI / 2n) / ROUND_WEI) * ROUND_WEI);
}

/** Never rounded up, so that a purchase just below the fee does not read as equal. */
function short(wei: bigint): string {
  return formatHypeShort(wei, 4);
}

function feeText(feeWei: bigint): string {
  return `fee ${short(feeWei)}`;
}

/** Such as 'about 598.2 BOTH', with four significant digits. */
function boughtText({ purchase, spendableWei, token: { decimals, symbol } }: JobPlan, spentWei: bigint): string {
  const tokens = spentWei === 0n ? 0n : (BigInt(purchase.tokens) * spentWei) / BigInt(spendableWei);
  if (tokens === 0n) return 'nothing';
  const amount = Number(formatUnits(tokens, decimals)).toLocaleString('en-US', { maximumSignificantDigits: 4 });
  return `about ${amount} ${symbol}`;
}
