import {
  BUDGET_PRESETS,
  estimateOrders,
  formatEstimate,
  formatHype,
  hypeNumberToWei,
  InvalidAmountError,
  MAXIMUM_PAYMENT_WEI,
} from '@maker/rules';

/** What the visitor chose: nothing yet, a preset card, or the custom card with what was typed. */
export type BudgetChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'preset' /** As on the card, in HYPE. */; readonly amount: string }
  | { readonly kind: 'custom'; readonly typed: string };

/** The chosen budget as the step shows it. */
export interface Budget {
  /** Wei; only when it may be paid. */
  readonly amountWei?: bigint;
  /** The red line below the custom input. */
  readonly problem?: string;
  /** The line below a valid custom amount. */
  readonly estimateLine?: string;
}

/** Judges the choice. Source: specification § 5. @param minimumWei the configured minimum, wei */
export function judgeBudget(choice: BudgetChoice, minimumWei: bigint): Budget {
  if (choice.kind === 'none') return {};
  if (choice.kind === 'preset') {
    const preset = BUDGET_PRESETS.find(({ amount }) => amount === choice.amount);
    return preset && preset.amountWei >= minimumWei ? { amountWei: preset.amountWei } : {};
  }
  if (choice.typed.trim() === '') return {};
  const amountWei = typedAmount(choice.typed);
  if (amountWei === undefined || amountWei < minimumWei) {
    return { problem: `Minimum amount is ${formatHype(minimumWei)} HYPE` };
  }
  if (amountWei > MAXIMUM_PAYMENT_WEI) return {};
  return { amountWei, estimateLine: `Estimated makers: ${formatEstimate(estimateOrders(amountWei))}` };
}

/**
 * The custom input after a keystroke: an entry above 1000 is ignored and what stood before stays.
 * Source: specification § 5.
 */
export function acceptTyped(before: string, typed: string): string {
  return Number(typed) > Number(formatHype(MAXIMUM_PAYMENT_WEI)) ? before : typed;
}

/**
 * The amount as the API will read it from the number of the request body, so that what is shown is what is asked for.
 * @returns wei, or undefined when it is no amount
 */
function typedAmount(typed: string): bigint | undefined {
  try {
    return hypeNumberToWei(Number(typed));
  } catch (error) {
    if (error instanceof InvalidAmountError) return undefined;
    throw error;
  }
}
