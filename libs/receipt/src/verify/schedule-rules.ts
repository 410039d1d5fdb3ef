import { FEE_CAP_WEI, isTokenDust, PLAIN_TRANSFER_GAS, slotsOf } from '@maker/rules';
import { type Evidence, hype } from './evidence.ts';
import type { Rule } from './rule.ts';

/** Clocks of services and blocks differ by less, ms. */
const CLOCK_TOLERANCE_MS = 60_000;

/** A plain transfer at the dearest fee that is ever paid, wei: what is less than this cannot be sent. */
const UNSENDABLE_WEI = PLAIN_TRANSFER_GAS * FEE_CAP_WEI;

/** Source: design § 2.3: nothing is bought ahead of the schedule, and no lost time is made up for in a burst. */
export const schedule: Rule = {
  id: 'schedule',
  statement: ({ receipt }) =>
    `Schedule: one standard order every ${Number((receipt.rules.slotMs / 1000).toPrecision(4))} s, or as many merged into one; none came early.`,
  *broken({ receipt }) {
    const { slotMs, orderLifeSeconds, tradingEndsAt } = receipt.rules;
    const lifeMs = orderLifeSeconds * 1000;
    let slots = 0;
    let leastLeadMs = Number.POSITIVE_INFINITY;
    for (const [index, { number, result, tradeWei, minedAt, blockNumber, nonce }] of receipt.orders.entries()) {
      const before = receipt.orders[index - 1];
      if (before && (nonce < before.nonce || blockNumber < before.blockNumber))
        yield `Order ${number} came before the one before it.`;
      if (result !== 'filled') continue;
      const minedAtMs = Date.parse(minedAt);
      if (tradingEndsAt !== null && minedAtMs > Date.parse(tradingEndsAt) + lifeMs) {
        yield `Order ${number} was mined at ${minedAt}, and trading was to end at ${tradingEndsAt}.`;
      }
      const leadMs = slots * slotMs - minedAtMs;
      leastLeadMs = Math.min(leastLeadMs, leadMs);
      // An order may be mined as late as it is valid, and the next one at once.
      if (leadMs - leastLeadMs > lifeMs + slotMs) {
        yield `Order ${number} was mined at ${minedAt}, which is ${Math.round((leadMs - leastLeadMs) / 1000)} s ahead of the schedule.`;
      }
      slots += slotsOf(BigInt(tradeWei));
    }
  },
};

/** Source: design § 4: pauses are told, and nothing is bought in them. */
export const pauses: Rule = {
  id: 'pauses',
  statement: ({ receipt }) =>
    receipt.pauses.length === 0
      ? 'No pause is told.'
      : `${receipt.pauses.length} pauses are told, and nothing was bought in any of them.`,
  *broken({ receipt }) {
    const lifeMs = receipt.rules.orderLifeSeconds * 1000 + CLOCK_TOLERANCE_MS;
    const mined = receipt.orders.flatMap(({ number, minedAt, result }) =>
      result === 'filled' ? { number, atMs: Date.parse(minedAt) } : [],
    );
    for (const { reason, from, to } of receipt.pauses) {
      const [fromMs, toMs] = [Date.parse(from), to === null ? Number.POSITIVE_INFINITY : Date.parse(to)];
      if (toMs < fromMs) yield `The pause '${reason}' of ${from} ends before it begins.`;
      if (to === null && receipt.state === 'final')
        yield `The pause '${reason}' of ${from} has no end, though the job has.`;
      const within = mined.find(({ atMs }) => atMs > fromMs + lifeMs && atMs < toMs - CLOCK_TOLERANCE_MS);
      if (within) yield `Order ${within.number} was mined in the pause '${reason}' that began at ${from}.`;
    }
  },
};

/** Source: design § 4 'End'. */
export const ending: Rule = {
  id: 'ending',
  statement: ({ receipt }) =>
    receipt.state === 'interim'
      ? 'The job goes on: this receipt was asked for before its end.'
      : `The job has ended${receipt.rules.latestEndAt === null ? '' : ` by ${receipt.rules.latestEndAt}`}: ${receipt.ending?.message ?? ''}.`,
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
