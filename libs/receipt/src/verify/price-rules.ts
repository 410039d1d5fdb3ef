import type { JudgedOrder } from '../prices/judge-prices.ts';
import { BLOCKS_PER_REQUEST, expectedRequests } from '../prices/read-pools-of-job.ts';
import type { Evidence } from './evidence.ts';

const WHOLE_BPS = 10_000n;

/** Most orders that a sentence names. */
const MOST_NAMED = 5;

/**
 * The job received what the pools of the pair offered, within the published slippage. The rule judges the total, because prices move
 * between the quote and the block of an order.
 */
export function* bestPrice(evidence: Evidence): Generator<string> {
  const orders = evidence.facts.prices?.orders ?? [];
  if (orders.length === 0) return;
  const { received, best } = totalsOf(orders);
  if (received * WHOLE_BPS < best * (WHOLE_BPS - toleranceBps(evidence))) {
    yield `The orders received ${evidence.tokens(received)}. The best pools offered ${evidence.tokens(best)} for the same cost, gas included: the job received ${shareOf(received, best)} of that, below the published slippage of ${Number(toleranceBps(evidence)) / 100} %.`;
  }
}

/** The share of the best offers that the job received, and single orders and trades around them; none without a check of prices. */
export function* bestPriceSentences(evidence: Evidence): Generator<string> {
  const orders = evidence.facts.prices?.orders ?? [];
  if (orders.length === 0) return;
  const single = [...worseOrders(evidence, orders), ...turnAroundSentences(evidence, orders)];
  yield [totalSentence(evidence, orders), ...single].join(' ');
}

/** Which orders lack a check of their prices, and its cost. */
export function* uncheckedPrices(evidence: Evidence): Generator<string> {
  const { receipt, facts } = evidence;
  if (facts.prices) {
    const { length } = facts.prices.incomplete;
    if (length > 0)
      yield `Whether another pool was cheaper for ${length} orders: neither events nor the newest state show one of the pools before them.`;
    return;
  }
  const [first] = receipt.orders;
  const last = receipt.orders.at(-1);
  if (!first || !last || receipt.sums.ordersFilled === 0) return;
  const requests = expectedRequests(first.blockNumber, last.blockNumber, BLOCKS_PER_REQUEST);
  yield `Whether another pool was cheaper: prices were not checked. The check takes at least ${requests} requests, and one more for each ${BLOCKS_PER_REQUEST} blocks since the last order.`;
}

/** The published slippage, at most that of the rules, basis points. */
function toleranceBps({ receipt, rules }: Evidence): bigint {
  return BigInt(Math.min(receipt.rules.slippageBps, rules.slippageBps));
}

function totalSentence(evidence: Evidence, orders: readonly JudgedOrder[]): string {
  const { received, best } = totalsOf(orders);
  return `Price: the job received ${shareOf(received, best)} of the best that the pools of the pair offered for its ${orders.length} orders, gas included (${evidence.tokens(received)} of ${evidence.tokens(best)}).`;
}

function totalsOf(orders: readonly JudgedOrder[]) {
  return {
    received: orders.reduce((sum, { receivedTokens }) => sum + receivedTokens, 0n),
    best: orders.reduce((sum, { bestTokens }) => sum + bestTokens, 0n),
  };
}

/** A share in percent with two decimals, rounded down. */
function shareOf(part: bigint, whole: bigint): string {
  const bps = whole === 0n ? WHOLE_BPS : (part * WHOLE_BPS) / whole;
  return `${bps / 100n}.${`${bps % 100n}`.padStart(2, '0')} %`;
}

function* worseOrders(evidence: Evidence, orders: readonly JudgedOrder[]): Generator<string> {
  const worse = orders.filter(
    ({ receivedTokens, bestTokens }) => receivedTokens * WHOLE_BPS < bestTokens * (WHOLE_BPS - toleranceBps(evidence)),
  );
  for (const { number, receivedTokens, bestTokens, bestVenue } of worse.slice(0, MOST_NAMED))
    yield `Order ${number} received ${shareOf(receivedTokens, bestTokens)} of what ${bestVenue} offered.`;
  if (worse.length > MOST_NAMED)
    yield `${worse.length - MOST_NAMED} more orders received less than the published slippage allows.`;
}

function* turnAroundSentences(evidence: Evidence, orders: readonly JudgedOrder[]): Generator<string> {
  const around = orders.flatMap(({ number, turnArounds }) => turnArounds.map((one) => ({ number, ...one })));
  if (around.length === 0) yield 'No account bought in the pool before an order and sold after it in the same block.';
  for (const { number, account, blockNumber, lostTokens } of around.slice(0, MOST_NAMED)) {
    yield `In block ${blockNumber}, account ${account} bought in the pool before order ${number} and sold after it. Without this purchase the order would have received ${evidence.tokens(lostTokens)} more. The chain shows neither intent nor whether the service took part.`;
  }
  if (around.length > MOST_NAMED) yield `${around.length - MOST_NAMED} more orders had such trades around them.`;
}
