import {
  BUDGET_PRESETS,
  type DecimalSeparator,
  estimateOrders,
  formatEstimate,
  formatHype,
  MAXIMUM_PAYMENT_WEI,
  readTypedAmount,
} from '@maker/rules';

/** The visitor's choice: nothing yet, a preset card, or the custom card with the typed text. */
export type BudgetChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'preset' /** As on the card, in HYPE. */; readonly amount: string }
  | { readonly kind: 'custom'; readonly typed: string };

/** The chosen budget as the step shows it. */
export interface Budget {
  /** Wei; only for an amount that may be paid. */
  readonly amountWei?: bigint;
  /** The red line below the custom input. */
  readonly problem?: string;
  /** The line below a valid custom amount. */
  readonly estimateLine?: string;
}

/**
 * Judges the choice. Source: specification § 5.
 * @param minimumWei the configured minimum, wei
 * @param separator between whole units and decimals in the visitor's language
 */
export function judgeBudget(choice: BudgetChoice, minimumWei: bigint, separator: DecimalSeparator = '.'): Budget {
  if (choice.kind === 'none') return {};
  if (choice.kind === 'preset') {
    const preset = BUDGET_PRESETS.find(({ amount }) => amount === choice.amount);
    return preset && preset.amountWei >= minimumWei ? { amountWei: preset.amountWei } : {};
  }
  const typed = readTypedAmount(choice.typed, separator);
  if (typed.kind === 'empty') return {};
  if (typed.kind === 'ambiguous') return { problem: AMBIGUOUS };
  if (typed.kind === 'unreadable') return { problem: UNREADABLE };
  if (typed.kind === 'too_small' || typed.wei < minimumWei) {
    return { problem: `Minimum amount is ${formatHype(minimumWei)} HYPE` };
  }
  if (typed.wei > MAXIMUM_PAYMENT_WEI) return {};
  const estimate = estimateOrders(typed.wei);
  // If the configured minimum pays for no order, the plan explains that.
  if (estimate.upper === 0) return { amountWei: typed.wei };
  return { amountWei: typed.wei, estimateLine: `Estimated makers: ${formatEstimate(estimate)}` };
}

const AMBIGUOUS = 'Write the amount without a thousands separator, such as 0.5 or 1000';
const UNREADABLE = 'Write the amount as a number, such as 0.5';

/**
 * The custom input after a keystroke. An entry above 1000 is ignored and the earlier text stays.
 * Source: specification § 5.
 */
export function acceptTyped(before: string, typed: string, separator: DecimalSeparator = '.'): string {
  const read = readTypedAmount(typed, separator);
  return read.kind === 'amount' && read.wei > MAXIMUM_PAYMENT_WEI ? before : typed;
}
