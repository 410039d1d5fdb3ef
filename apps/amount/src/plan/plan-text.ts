import type { JobPlan } from '@maker/contracts';
import {
  FEE_PERCENT,
  formatHypeShort,
  formatUnits,
  GAS_RESERVE_WEI,
  type PlanWarning,
  smaller,
  WEI_PER_HYPE,
} from '@maker/rules';

/** A line of the plan. */
export interface PlanLine {
  readonly name: string;
  readonly value: string;
}

/** What a job of the chosen budget would do, line by line. Source: design § 4a. @param moment prints a time, such as '1 Jan, 14:05' */
export function planLines(plan: JobPlan, moment: (iso: string) => string): readonly PlanLine[] {
  const { orders, purchase, token } = plan;
  return [
    {
      name: 'Orders',
      value: `about ${orders.count.toLocaleString('en-US')} of ${formatHypeShort(BigInt(orders.sizeWei), 5)} HYPE`,
    },
    { name: 'Pace', value: `one every ${duration(orders.intervalMs)}` },
    { name: 'Expected end', value: moment(plan.expectedEndAt) },
    { name: 'Latest end', value: moment(plan.latestEndAt) },
    { name: 'You receive', value: `about ${shortAmount(BigInt(purchase.tokens), token.decimals)} ${token.symbol}` },
    { name: 'Price impact', value: `${percent(purchase.impactBps)} on average` },
    { name: 'At the last order', value: percent(purchase.priceRiseBps) },
  ];
}

/**
 * What a job of the chosen budget does, in one line.
 * @param amountWei the budget @param now the server's time, ms
 */
export function planHeadline(plan: JobPlan, amountWei: bigint, now: number): string {
  const count = plan.orders.count.toLocaleString('en-US');
  const buys = formatHypeShort(spentWei(plan), 2);
  return `About ${count} orders, done by ${nearMoment(plan.expectedEndAt, now)}. ${buys} of ${formatHypeShort(amountWei, 2)} HYPE buys your token.`;
}

/** What of the budget can be spent, wei. */
export function spentWei({ spendableWei, orderBudgetWei }: JobPlan): bigint {
  return smaller(BigInt(spendableWei), BigInt(orderBudgetWei));
}

/** A hundredth of a HYPE: budgets are offered in round figures. */
const ROUND_WEI = WEI_PER_HYPE / 100n;

/**
 * The largest budget that pool and token can take, rounded down; undefined where they take all of the chosen one, or where what it takes
 * pays for no job. @param minimumWei the least that is taken, wei
 */
export function largestUsefulWei(plan: JobPlan, minimumWei: bigint): bigint | undefined {
  const { tokenTakesWei, warnings } = plan;
  if (!warnings.includes('pool_takes_only_part') && tokenTakesWei === undefined) return undefined;
  const takenWei = tokenTakesWei === undefined ? spentWei(plan) : smaller(spentWei(plan), BigInt(tokenTakesWei));
  const usefulWei = ((takenWei + GAS_RESERVE_WEI) * 100n) / (100n - FEE_PERCENT);
  const roundWei = (usefulWei / ROUND_WEI) * ROUND_WEI;
  return roundWei >= minimumWei ? roundWei : undefined;
}

const TIME = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_MS = 86_400_000;

/** Such as 'today 19:50', 'tomorrow 19:50' or '4 Jan 19:50'. */
function nearMoment(iso: string, now: number): string {
  const at = new Date(iso);
  const isOn = (day: number) => at.toDateString() === new Date(day).toDateString();
  const day = isOn(now) ? 'today' : isOn(now + DAY_MS) ? 'tomorrow' : DAY.format(at);
  return `${day} ${TIME.format(at)}`;
}

/** What a visitor should know before paying, in plain words. */
export function planWarnings(plan: JobPlan): readonly string[] {
  return plan.warnings.map((warning) => WARNINGS[warning]?.(plan)).filter((text) => text !== undefined);
}

const WARNINGS: Readonly<Record<PlanWarning, (plan: JobPlan) => string>> = {
  too_small_for_one_order: () => 'This budget does not pay for one order: nothing would be bought.',
  no_pool: () => 'No pool takes an order now.',
  no_capacity: () => 'All capacity is booked for a long time: a job of this budget is not taken now.',
  pool_takes_only_part: ({ spendableWei, orderBudgetWei, limits }) =>
    `About ${formatHypeShort(BigInt(spendableWei), 2)} of ${formatHypeShort(BigInt(orderBudgetWei), 2)} HYPE can be spent in this pool before the price is ${percent(limits.bandBps)} higher; the rest comes back.`,
  token_limits_holdings: ({ tokenTakesWei, spendableWei }) =>
    `This token limits what one wallet holds: about ${formatHypeShort(BigInt(tokenTakesWei ?? spendableWei), 2)} HYPE can be spent before it refuses; the rest comes back, the fee does not.`,
  token_limits_purchases: () =>
    'This token limits how often one wallet buys: orders may fail, and what is not spent comes back.',
  longer_than_window: () => 'The bot is busy: this job takes longer than usual.',
  gas_above_guardrail: () => 'Network fees are above 10 gwei now: the job waits until they are at or below it.',
  fewer_orders_than_estimated: ({ orders }) =>
    orders.merged > 1
      ? `Network fees are high now: one order stands for ${orders.merged}, so there are fewer than estimated.`
      : 'There will be fewer orders than estimated.',
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

/** Four digits that count: more would promise what nobody knows. */
function shortAmount(units: bigint, decimals: number): string {
  return Number(formatUnits(units, decimals)).toLocaleString('en-US', { maximumSignificantDigits: 4 });
}
