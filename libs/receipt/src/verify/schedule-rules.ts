import { FEE_CAP_WEI, isTokenDust, PLAIN_TRANSFER_GAS, slotsOf } from '@maker/rules';
import { quoted } from '../file/quoted.ts';
import type { SignedOrder } from '../file/receipt-file.ts';
import { type Evidence, entryOf, hype, nameOf, type Rule } from './evidence.ts';

/** Clocks of services and blocks differ by less, ms. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Blocks and deadlines are of whole seconds, ms. */
const ROUNDING_MS = 2000;

/** A plain transfer at the dearest fee that is ever paid, wei: what is less than this cannot be sent. */
export const UNSENDABLE_WEI = PLAIN_TRANSFER_GAS * FEE_CAP_WEI;

/** Source: design § 2.3: nothing is bought ahead of the schedule, and no lost time is made up for in a burst. */
export const schedule: Rule = {
  id: 'schedule',
  statement: ({ receipt }) => `Schedule: no faster than one standard order every ${secondsOf(receipt.rules.slotMs)} s.`,
  *broken(evidence) {
    const { receipt, rules } = evidence;
    const { slotMs, tradingEndsAt } = receipt.rules;
    const mined = new Lead(slotMs);
    const decided = new Lead(slotMs);
    for (const [index, order] of receipt.orders.entries()) {
      const { number, result, minedAt, blockNumber, nonce } = order;
      const before = receipt.orders[index - 1];
      if (before && (nonce < before.nonce || blockNumber < before.blockNumber))
        yield `Order ${number} came before the one before it.`;
      if (result !== 'filled') {
        decided.giveBack(order);
        continue;
      }
      const minedAtMs = Date.parse(minedAt);
      const decidedAtMs = decidedAt(evidence, order, minedAtMs);
      const endsAtMs = tradingEndsAt === null ? Number.POSITIVE_INFINITY : Date.parse(tradingEndsAt);
      if (minedAtMs > endsAtMs + rules.orderLifeMs) {
        yield `Order ${number} was mined at ${minedAt}, and trading was to end at ${tradingEndsAt}.`;
      }
      // An order may be mined as late as it is valid, and the next one at once; but each is decided in its turn.
      const aheadMs = mined.of(order, minedAtMs);
      const early = decided.of(order, decidedAtMs);
      const lagMs = Math.max(rules.lagMs, slotMs) + decided.givenBackMs + ROUNDING_MS;
      if (aheadMs > rules.orderLifeMs + slotMs) yield aheadOf(order, minedAt, aheadMs);
      else if (early > lagMs) yield aheadOf(order, minedAt, early);
    }
  },
};

/** How far orders are ahead of a schedule that begins anew with each delay. */
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

  /** What was not filled gives its slots back to one that is tried in its place. */
  giveBack({ tradeWei }: SignedOrder): void {
    this.givenBackMs += slotsOf(BigInt(tradeWei)) * this.#slotMs;
  }
}

function aheadOf({ number }: SignedOrder, minedAt: string, aheadMs: number): string {
  return `Order ${number} was mined at ${minedAt}, which is ${Math.round(aheadMs / 1000)} s ahead of the schedule.`;
}

/** When an order was decided: its call holds a deadline that is a whole life later. Never after its block. */
function decidedAt(evidence: Evidence, order: SignedOrder, minedAtMs: number): number {
  const read = evidence.purchase(order);
  if (!read) return minedAtMs;
  return Math.min(minedAtMs, Number(read.purchase.deadlineSeconds) * 1000 - evidence.rules.orderLifeMs);
}

/** Source: design § 4: gas above the guardrail is waited out. */
export const gasPrice: Rule = {
  id: 'gas_price',
  statement: ({ rules }) => `Gas: no order paid more than ${gwei(rules.orderGasPriceWei)}.`,
  *broken(evidence) {
    const { rules, told } = evidence;
    for (const one of told) {
      const { gasPriceWei } = evidence.transaction(entryOf(one).transactionHash);
      const isOrder = 'order' in one && one.order.result !== 'voided';
      const mostWei = isOrder ? rules.orderGasPriceWei : rules.gasPriceWei;
      if (gasPriceWei > mostWei)
        yield `${nameOf(one)} paid ${gwei(gasPriceWei)} for gas; the rules allow ${gwei(mostWei)}.`;
    }
  },
};

/** Source: design § 4: pauses are told, and nothing is bought in them. Which there were is the service's word. */
export const pauses: Rule = {
  id: 'pauses',
  *broken(evidence) {
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
      if (to === null && receipt.state === 'final') yield `${name} has no end, though the job has.`;
      // What was sent before may be mined while it is valid; nothing is decided any more.
      const within = mined.find(
        ({ atMs, decidedAtMs }) =>
          (atMs > fromMs + lifeMs || decidedAtMs > fromMs + CLOCK_TOLERANCE_MS) && atMs < toMs - CLOCK_TOLERANCE_MS,
      );
      if (within) yield `Order ${within.number} was mined in the pause ${quoted(reason)} that began at ${from}.`;
    }
  },
};

/** Source: design § 4 'End'. Why it ended is the service's word. */
export const ending: Rule = {
  id: 'ending',
  statement: ({ receipt, split }) =>
    `Orders spent ${hype(BigInt(receipt.sums.tradedWei))} of the ${hype(split.orderBudgetWei)} that were for them and for dear gas.`,
  *broken(evidence) {
    const { receipt } = evidence;
    if ((receipt.ending === null) === (receipt.state === 'final')) {
      yield receipt.state === 'final'
        ? 'The receipt is final, and tells of no end.'
        : 'The receipt is interim, and tells of an end.';
    }
    if (receipt.state === 'interim') return;
    yield* lateTransfers(evidence);
    if (receipt.heldReason !== null) return;
    const leftWei = BigInt(receipt.sums.leftWei);
    if (leftWei > UNSENDABLE_WEI) yield `${hype(leftWei)} stay in the wallet, and the receipt gives no reason.`;
    const { keptTokens } = evidence;
    if (keptTokens > 0n && !isRounding(evidence))
      yield `${evidence.tokens(keptTokens)} were bought and not delivered, and the receipt gives no reason.`;
  },
};

/** A token that counts in shares keeps a unit when it is sent, and strangers send dust: neither is worth a second delivery. */
function isRounding({ receipt: { sums }, keptTokens }: Evidence): boolean {
  return BigInt(sums.deliveredTokens) > 0n && isTokenDust(keptTokens, BigInt(sums.boughtTokens));
}

function* lateTransfers(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  const { latestEndAt } = receipt.rules;
  if (latestEndAt === null) return;
  for (const { kind, transactionHash, succeeded } of receipt.transfers) {
    // What an operator released was held at the latest end, as it had to be.
    if (!succeeded || (kind !== 'delivery' && kind !== 'return') || receipt.releasedAt !== null) continue;
    const minedAtMs = evidence.transaction(transactionHash).blockSeconds * 1000;
    if (minedAtMs > Date.parse(latestEndAt) + CLOCK_TOLERANCE_MS) {
      yield `The ${kind} was mined at ${new Date(minedAtMs).toISOString()}, after the latest end ${latestEndAt}.`;
    }
  }
}

/** In as many digits as somebody reads. */
export function secondsOf(ms: number): number {
  return Number((ms / 1000).toPrecision(4));
}

function gwei(wei: bigint): string {
  return `${Number(wei) / 1e9} gwei`;
}
