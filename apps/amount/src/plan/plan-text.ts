import type { JobPlan } from '@maker/contracts';
import {
  FEE_PERCENT,
  formatHype,
  formatHypeShort,
  GAS_RESERVE_WEI,
  type PlanWarning,
  WEI_PER_HYPE,
} from '@maker/rules';
import { dateFormat, spentOf } from '@maker/web-kit';

/**
 * The plan of the chosen budget, line by line. Source: design § 4a.
 * @param moment formats a time, such as '1 Jan, 14:05' @returns names and values
 */
export function planLines(plan: JobPlan, moment: (iso: string) => string): readonly (readonly [string, string])[] {
  const { orders, purchase } = plan;
  return [
    ['Orders', `about ${orders.count.toLocaleString('en-US')} of ${formatHypeShort(BigInt(orders.sizeWei), 5)} HYPE`],
    ['Pace', `one every ${duration(orders.intervalMs)}`],
    ['Expected end', moment(plan.expectedEndAt)],
    ['Latest end', moment(plan.latestEndAt)],
    ['Price impact', `${percent(purchase.impactBps)} on average`],
    ['Price rise by the end', percent(purchase.priceRiseBps)],
  ];
}

/** Number and end of the orders in one line. @param now the server's time, ms */
export function planHeadline({ orders, expectedEndAt }: JobPlan, now: number): string {
  return `About ${orders.count.toLocaleString('en-US')} orders, done by ${nearMoment(expectedEndAt, now)}.`;
}

/** Whether a part of the budget is returned, without the fee that was taken from it. */
export function takesOnlyPart({ warnings, tokenTakesWei }: JobPlan): boolean {
  return warnings.includes('pool_takes_only_part') || tokenTakesWei !== undefined;
}

/**
 * The largest budget that pool and token can take; undefined if they take all of the chosen one, or if that budget is below the
 * minimum. @param minimumWei the smallest accepted budget, wei
 */
export function largestUsefulWei(plan: JobPlan, minimumWei: bigint): bigint | undefined {
  if (!takesOnlyPart(plan)) return undefined;
  const usefulWei = budgetFor(spentOf(plan));
  return usefulWei >= minimumWei ? usefulWei : undefined;
}

/** The budget whose spent part is `takenWei`, wei, rounded down to about three digits for display. */
function budgetFor(takenWei: bigint): bigint {
  const wei = ((takenWei + GAS_RESERVE_WEI) * 100n) / (100n - FEE_PERCENT);
  const roundWei = [WEI_PER_HYPE, WEI_PER_HYPE / 10n].find((unit) => wei >= unit * 100n) ?? WEI_PER_HYPE / 100n;
  return (wei / roundWei) * roundWei;
}

const TIME = dateFormat({ hour: 'numeric', minute: '2-digit' });
const DAY = dateFormat({ day: 'numeric', month: 'short' });
const DAY_MS = 86_400_000;

/** Such as 'today 19:50', 'tomorrow 19:50' or '4 Jan 19:50'. */
function nearMoment(iso: string, now: number): string {
  const at = new Date(iso);
  const isOn = (day: number) => at.toDateString() === new Date(day).toDateString();
  const day = isOn(now) ? 'today' : isOn(now + DAY_MS) ? 'tomorrow' : DAY.format(at);
  return `${day} ${TIME.format(at)}`;
}

/** Explains in plain words the limit, of the pool or of the token, and the usable budget. @param plan takes only a part */
export function partWarning(plan: JobPlan): string {
  const { spendableWei, tokenTakesWei } = plan;
  const budget = `about ${formatHype(budgetFor(spentOf(plan)))} HYPE`;
  return tokenTakesWei !== undefined && BigInt(tokenTakesWei) <= BigInt(spendableWei)
    ? `This token accepts ${budget} per wallet.`
    : `This pool can use ${budget}.`;
}

/** Further warnings before payment, in plain words, the most serious first. */
export function planWarnings(plan: JobPlan): readonly string[] {
  return Object.entries(WARNINGS).flatMap(([warning, text]) =>
    plan.warnings.includes(warning as PlanWarning) ? text(plan) : [],
  );
}

const WARNINGS: Readonly<
  Record<Exclude<PlanWarning, 'pool_takes_only_part' | 'token_limits_holdings'>, (plan: JobPlan) => string>
> = {
  too_small_for_one_order: () => 'This budget is too small for one order. Nothing would be bought.',
  no_pool: () => 'No pool can take an order now.',
  no_capacity: () => 'The bot has too little free capacity for this budget now.',
  token_limits_purchases: () =>
    'This token limits how often one wallet buys, so orders may fail. Unspent HYPE is returned. The service fee is not refunded.',
  gas_above_guardrail: () => 'Network fees are above 10 gwei now. The job waits until they are at or below 10 gwei.',
  longer_than_window: ({ startsAt, expectedEndAt }) =>
    `A job gets at most half of the bot's free capacity, so this one takes ${longDuration(Date.parse(expectedEndAt) - Date.parse(startsAt))}.`,
  fewer_orders_than_estimated: ({ orders }) =>
    orders.merged > 1
      ? `Network fees are high now, so ${orders.merged} orders are merged into one. There will be fewer orders than estimated.`
      : 'There will be fewer orders than estimated.',
  only_one_pool: () =>
    'Only one pool sells this token. If its price stays above your limit, unspent HYPE is returned. The service fee is not refunded.',
};

function percent(bps: number): string {
  return `${(bps / 100).toLocaleString('en-US', { maximumFractionDigits: 2 })}%`;
}

/** Such as '2 min 18 s'. @param ms time between two orders */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return `${Math.round(ms)} ms`;
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return rest === 0 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

/** Such as 'about 26 hours' or 'about 2.8 days'. @param ms from the start of a job to its end */
function longDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes <= 1) return 'about a minute';
  if (minutes < 120) return `about ${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `about ${hours} hours` : `about ${Math.round(hours / 2.4) / 10} days`;
}
