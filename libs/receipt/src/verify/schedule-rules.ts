import { FEE_CAP_WEI, isTokenDust, PLAIN_TRANSFER_GAS, slotsOf } from '@maker/rules';
import { quoted } from '../file/quoted.ts';
import type { SignedOrder } from '../file/receipt-file.ts';
import { type Evidence, entryOf, hype, nameOf } from './evidence.ts';

/** Clocks of services and blocks differ by less, ms. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Blocks and deadlines are of whole seconds, ms. */
const ROUNDING_MS = 2000;

/** Cost of a plain transfer at the fee cap, wei: a smaller amount cannot be sent. */
export const UNSENDABLE_WEI = PLAIN_TRANSFER_GAS * FEE_CAP_WEI;

/** No order is ahead of the schedule, and no burst makes up for lost time. Source: design § 2.3. */
export function* schedule(evidence: Evidence): Generator<string> {
  const { receipt, rules } = evidence;
  const { slotMs, tradingEndsAt } = receipt.rules;
  const mined = new Lead(slotMs);
  const decided = new Lead(slotMs);
  for (const [index, order] of receipt.orders.entries()) {
    const { number, result, minedAt, blockNumber, nonce } = order;
    const before = receipt.orders[index - 1];
    if (before && (nonce < before.nonce || blockNumber < before.blockNumber))
      yield `Order ${number} has a lower nonce or block than the order before it.`;
    if (result !== 'filled') {
      decided.giveBack(order);
      continue;
    }
    const minedAtMs = Date.parse(minedAt);
    const decidedAtMs = decidedAt(evidence, order, minedAtMs);
    const endsAtMs = tradingEndsAt === null ? Number.POSITIVE_INFINITY : Date.parse(tradingEndsAt);
    if (minedAtMs > endsAtMs + rules.orderLifeMs) {
      yield `Order ${number} was mined at ${minedAt}, but trading had to end at ${tradingEndsAt}.`;
    }
    // An order may be mined at the end of its validity and the next one soon after, but each is decided on schedule.
    const aheadMs = mined.of(order, minedAtMs);
    const early = decided.of(order, decidedAtMs);
    const lagMs = Math.max(rules.lagMs, slotMs) + decided.givenBackMs + ROUNDING_MS;
    if (aheadMs > rules.orderLifeMs + slotMs) yield aheadOf(order, minedAt, aheadMs);
    else if (early > lagMs) yield aheadOf(order, minedAt, early);
  }
}

/** Measures how far orders are ahead of a schedule that restarts after each delay. */
class Lead {
  readonly #slotMs: number;
  #slots = 0;
  #leastMs = Number.POSITIVE_INFINITY;
  givenBackMs = 0;

  constructor(slotMs: number) {
    this.#slotMs = slotMs;
  }

  of({ tradeWei }: SignedOrder, atMs: number): number {
    const leadMs = this.#slots * this.#slotMs - atMs;
    this.#leastMs = Math.min(this.#leastMs, leadMs);
    this.#slots += slotsOf(BigInt(tradeWei));
    return leadMs - this.#leastMs;
  }

  /** An unfilled order gives its slots back for its replacement. */
  giveBack({ tradeWei }: SignedOrder): void {
    this.givenBackMs += slotsOf(BigInt(tradeWei)) * this.#slotMs;
  }
}

function aheadOf({ number }: SignedOrder, minedAt: string, aheadMs: number): string {
  return `Order ${number} was mined at ${minedAt}, which is ${Math.round(aheadMs / 1000)} s ahead of the schedule.`;
}

/** When an order was decided: one order life before its call's deadline, but never after its block. */
function decidedAt(evidence: Evidence, order: SignedOrder, minedAtMs: number): number {
  const read = evidence.purchase(order);
  if (!read) return minedAtMs;
  return Math.min(minedAtMs, Number(read.purchase.deadlineSeconds) * 1000 - evidence.rules.orderLifeMs);
}

/** Orders wait while gas is above the guardrail. Source: design § 4. */
export function* gasPrice(evidence: Evidence): Generator<string> {
  const { rules, listed } = evidence;
  for (const one of listed) {
    const { gasPriceWei } = evidence.transaction(entryOf(one).transactionHash);
    const isOrder = 'order' in one && one.order.result !== 'voided';
    const mostWei = isOrder ? rules.orderGasPriceWei : rules.gasPriceWei;
    if (gasPriceWei > mostWei)
      yield `${nameOf(one)} paid ${gwei(gasPriceWei)} for gas; the rules allow ${gwei(mostWei)}.`;
  }
}

/** The executor buys nothing in a pause. Only the service states the pauses. Source: design § 4. */
export function* pauses(evidence: Evidence): Generator<string> {
  const { receipt, rules } = evidence;
  const lifeMs = rules.orderLifeMs + CLOCK_TOLERANCE_MS;
  const filled = receipt.orders.filter(({ result }) => result === 'filled');
  const mined = filled.map((order) => {
    const atMs = Date.parse(order.minedAt);
    return { number: order.number, atMs, decidedAtMs: decidedAt(evidence, order, atMs) };
  });
  for (const { reason, from, to } of receipt.pauses) {
    const name = `The pause ${quoted(reason)} of ${from}`;
    const [fromMs, toMs] = [Date.parse(from), to === null ? Number.POSITIVE_INFINITY : Date.parse(to)];
    if (toMs < fromMs) yield `${name} ends before it begins.`;
    if (to === null && receipt.state === 'final') yield `${name} has no end, but the job has ended.`;
    // An order sent before the pause may be mined while it is valid; none may be decided in the pause.
    const within = mined.find(
      ({ atMs, decidedAtMs }) =>
        (atMs > fromMs + lifeMs || decidedAtMs > fromMs + CLOCK_TOLERANCE_MS) && atMs < toMs - CLOCK_TOLERANCE_MS,
    );
    if (within) yield `Order ${within.number} was mined in the pause ${quoted(reason)} that began at ${from}.`;
  }
}

/** Only the service states why the job ended. Source: design § 4 'End'. */
export function* ending(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  if ((receipt.ending === null) === (receipt.state === 'final')) {
    yield receipt.state === 'final'
      ? 'The receipt is final, but states no end.'
      : 'The receipt is interim, but states an end.';
  }
  if (receipt.state === 'interim') return;
  yield* lateTransfers(evidence);
  if (receipt.heldReason !== null) return;
  const leftWei = BigInt(receipt.sums.leftWei);
  if (leftWei > UNSENDABLE_WEI) yield `${hype(leftWei)} stay in the wallet, but the receipt gives no reason.`;
  const { keptTokens } = evidence;
  if (keptTokens > 0n && !isRounding(evidence))
    yield `${evidence.tokens(keptTokens)} were bought and not delivered, but the receipt gives no reason.`;
}

/** A token that counts in shares may leave a unit behind, and strangers send dust: neither needs a second delivery. */
function isRounding({ receipt: { sums }, keptTokens }: Evidence): boolean {
  return BigInt(sums.deliveredTokens) > 0n && isTokenDust(keptTokens, BigInt(sums.boughtTokens));
}

function* lateTransfers(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  const { latestEndAt } = receipt.rules;
  if (latestEndAt === null) return;
  for (const { kind, transactionHash, succeeded } of receipt.transfers) {
    // Released money was held at the latest end, so its later transfer is allowed.
    if (!succeeded || (kind !== 'delivery' && kind !== 'return') || receipt.releasedAt !== null) continue;
    const minedAtMs = evidence.transaction(transactionHash).blockSeconds * 1000;
    if (minedAtMs > Date.parse(latestEndAt) + CLOCK_TOLERANCE_MS) {
      yield `The ${kind} was mined at ${new Date(minedAtMs).toISOString()}, after the latest end ${latestEndAt}.`;
    }
  }
}

/** Seconds with four digits. */
export function secondsOf(ms: number): number {
  return Number((ms / 1000).toPrecision(4));
}

function gwei(wei: bigint): string {
  return `${Number(wei) / 1e9} gwei`;
}
