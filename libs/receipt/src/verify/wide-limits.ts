import { slotsIn } from '@maker/rules';
import type { AgreedTerms } from '@maker/signing/terms';
import type { Evidence } from './evidence.ts';
import { secondsOf } from './schedule-rules.ts';

/** Largest difference between block times and the service's clock, ms. A plan begins between the payment and the fee. */
const TOLERANCE_MS = 60_000;

/** Limits in the receipt that are wider than the rules of this build: only the payer saw whether they were published. */
export function* wideLimits(evidence: Evidence): Generator<string> {
  const { receipt, rules, split, terms } = evidence;
  const { slippageBps, bandBps, slotMs, version } = receipt.rules;
  const wide = (what: string, says: string, allowed: string) =>
    `Whether ${what} was published as ${says} before you paid: version ${version} of the rules has ${allowed}.`;
  if (!terms && slippageBps > rules.slippageBps)
    yield wide('a slippage limit', percent(slippageBps), `${percent(rules.slippageBps)} at most`);
  if (!terms && bandBps > rules.bandBps)
    yield wide('a price band', percent(bandBps), `${percent(rules.bandBps)} at most`);
  const slots = slotsIn(split.orderBudgetWei);
  const leastSlotMs = rules.windowMs / Math.max(1, slots);
  // A slot may be a fraction of a millisecond, but clocks count whole ones.
  if (slotMs < leastSlotMs - 1)
    yield wide('a schedule', `one order every ${secondsOf(slotMs)} s`, `one every ${secondsOf(leastSlotMs)} s at most`);
  yield* wideTimes(evidence, slots);
}

function* wideTimes({ receipt, facts, rules, terms }: Evidence, slots: number): Generator<string> {
  if (terms && isAgreed(terms)) return;
  const { slotMs, tradingEndsAt, latestEndAt } = receipt.rules;
  const fee = receipt.transfers.find(({ kind, succeeded }) => kind === 'fee' && succeeded);
  const started = fee && facts.transactions.get(fee.transactionHash);
  if (!started) return;
  const latestMs = started.blockSeconds * 1000 + slots * slotMs + rules.pauseAllowanceMs + TOLERANCE_MS;
  if (tradingEndsAt === null) yield 'When trading had to end: the receipt names no time.';
  else if (Date.parse(tradingEndsAt) > latestMs)
    yield `Whether trading was to end as late as ${tradingEndsAt}: the rules have ${new Date(latestMs).toISOString()} at the latest.`;
  if (latestEndAt === null) yield 'When the job had to end: the receipt names no time.';
  else if (Date.parse(latestEndAt) > Date.parse(tradingEndsAt ?? latestEndAt) + rules.endingAllowanceMs)
    yield `Whether the job was to end as late as ${latestEndAt}: the rules have ${secondsOf(rules.endingAllowanceMs)} s after trading.`;
}

/** Whether the final plan ends when the agreement says, at the latest: it begins with the payment instead of the creation. */
function isAgreed({ agreement, activation }: AgreedTerms): boolean {
  const latestMs = Date.parse(agreement.latestEndAt) + Date.parse(agreement.deadline) - Date.parse(agreement.createdAt);
  return activation !== null && Date.parse(activation.latestEndAt) <= latestMs + TOLERANCE_MS;
}

function percent(bps: number): string {
  return `${bps / 100} %`;
}
