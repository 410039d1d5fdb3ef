import { WEI_PER_HYPE } from './amounts.ts';
import { splitDeposit } from './budget.ts';

/** Lowest total cost of an order (trade plus gas), wei. Source: specification § 5, design § 2.5. */
export const ORDER_COST_MINIMUM_WEI = (3n * WEI_PER_HYPE) / 10_000n;

/** Highest total cost of an order (trade plus gas), wei. Source: specification § 5, design § 2.5. */
export const ORDER_COST_MAXIMUM_WEI = (5n * WEI_PER_HYPE) / 10_000n;

/** Number of maker orders that a deposit pays for. */
export interface OrderEstimate {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Number of orders that a deposit pays for: `floor((amount × 0.7 − 0.1) / 0.0005)` to `floor((amount × 0.7 − 0.1) / 0.0003)`.
 * Source: specification § 5. @param depositWei wei @returns counts, never negative
 */
export function estimateOrders(depositWei: bigint): OrderEstimate {
  const { orderBudgetWei } = splitDeposit(depositWei);
  return {
    lower: Number(orderBudgetWei / ORDER_COST_MAXIMUM_WEI),
    upper: Number(orderBudgetWei / ORDER_COST_MINIMUM_WEI),
  };
}

export interface BudgetPreset {
  readonly amountWei: bigint;
  /** Text on the card, in HYPE. */
  readonly amount: string;
  readonly name: string;
  /** The table's own figures, rounded from the formula. */
  readonly estimatedMakers: string;
}

/** The four preset cards, with the table's own estimates. Source: specification § 2 'Amount'. */
export const BUDGET_PRESETS: readonly BudgetPreset[] = [
  { amountWei: WEI_PER_HYPE / 2n, amount: '0.5', name: 'Light Boost', estimatedMakers: '500~830' },
  { amountWei: WEI_PER_HYPE, amount: '1', name: 'Moderate Boost', estimatedMakers: '1200~2000' },
  { amountWei: 2n * WEI_PER_HYPE, amount: '2', name: 'Strong Boost', estimatedMakers: '2600~4300' },
  { amountWei: 5n * WEI_PER_HYPE, amount: '5', name: 'Extended Boost', estimatedMakers: '6800~11300' },
];

/** Text of an estimate by the formula, as of a custom amount. Example: '500~833'. */
export function formatEstimate({ lower, upper }: OrderEstimate): string {
  return `${lower}~${upper}`;
}

/**
 * Text of a job's estimate: a preset keeps the figures of its card, so that no page contradicts the card. Example: '500~830'.
 * Source: specification § 2 'Payment'.
 */
export function formatJobEstimate(estimate: OrderEstimate): string {
  const text = formatEstimate(estimate);
  const preset = BUDGET_PRESETS.find(({ amountWei }) => formatEstimate(estimateOrders(amountWei)) === text);
  return preset?.estimatedMakers ?? text;
}

/** Whether a deposit is less than the lowest cost of an order: it may be part of a payment, and waits where there are very many. */
export function isDust(amountWei: bigint): boolean {
  return amountWei < ORDER_COST_MINIMUM_WEI;
}
