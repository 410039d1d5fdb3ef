import { ascending, minimumOut, orderSlippage, priceOf, riseBps, smaller } from '@maker/rules';
import { isAddressEqual } from 'viem';
import type { TransactionFact } from '../chain/chain-facts.ts';
import { type PurchaseRead, poolKey, venueOf } from '../chain/read-purchase.ts';
import { movementsOf, type PoolSale, salesIn } from '../chain/token-movements.ts';
import type { SignedOrder } from '../file/receipt-file.ts';
import { type Evidence, hype } from './evidence.ts';
import { mayTradeAt } from './service-rules.ts';

/** Source: design § 2.2. */
export function* onlyBuys(evidence: Evidence): Generator<string> {
  for (const [index, order] of evidence.receipt.orders.entries()) {
    if (order.number !== index + 1) yield `Order ${index + 1} is missing: the receipt continues with ${order.number}.`;
    const fact = evidence.transaction(order.transactionHash);
    if (order.result === 'voided') yield* voidBroken(evidence, order, fact);
    else yield* buyBroken(evidence, order, fact);
    yield* outcomeBroken(evidence, order, fact);
  }
}

function* voidBroken({ receipt }: Evidence, { number, receivedTokens }: SignedOrder, fact: TransactionFact) {
  if (fact.to !== receipt.wallet || fact.valueWei !== 0n || fact.input !== '0x') {
    yield `Order ${number} is listed as given up, but its transaction has an effect.`;
  }
  if (receivedTokens !== '0') yield `Order ${number} was given up and cannot have brought tokens.`;
}

function* buyBroken(evidence: Evidence, order: SignedOrder, fact: TransactionFact): Generator<string> {
  const name = `Order ${order.number}`;
  if (fact.valueWei !== BigInt(order.tradeWei)) {
    yield `${name} spends ${hype(fact.valueWei)}, not ${hype(BigInt(order.tradeWei))}.`;
  }
  if (fact.valueWei > evidence.rules.largestOrderWei) yield `${name} is larger than the rules allow.`;
  if (!venueOf(fact.to, evidence.facts.venues) && !mayTradeAt(evidence, fact.to))
    yield `${name} went to ${fact.to}, which is not the router of an exchange that this verifier knows.`;
  const read = evidence.purchase(order);
  if (!read) {
    yield `${name} is not a purchase of a token: its call does not buy from any exchange.`;
    return;
  }
  yield* venueBroken(order, read);
  yield* callBroken(evidence, order, fact, read);
}

function* venueBroken(order: SignedOrder, { venue, purchase }: PurchaseRead) {
  if (!venue) return;
  const name = `Order ${order.number}`;
  if (venue.id !== order.venue)
    yield `${name} went to the router of ${venue.id}, but the receipt names another exchange.`;
  if (!isAddressEqual(purchase.tokenIn, venue.wrappedNative))
    yield `${name} pays with ${purchase.tokenIn}, which is not wrapped HYPE.`;
}

function* callBroken(
  { receipt, rules }: Evidence,
  order: SignedOrder,
  fact: TransactionFact,
  { purchase }: PurchaseRead,
): Generator<string> {
  const name = `Order ${order.number}`;
  if (!isAddressEqual(purchase.tokenOut, receipt.token.address))
    yield `${name} buys ${purchase.tokenOut}, not the job's token.`;
  if (!isAddressEqual(purchase.recipient, receipt.wallet)) yield `${name} sends what it buys to ${purchase.recipient}.`;
  if (purchase.aside) yield `${name} ${purchase.aside}.`;
  if (purchase.amountInWei !== null && purchase.amountInWei !== fact.valueWei) {
    yield `${name} spends ${hype(purchase.amountInWei)} of the ${hype(fact.valueWei)} that it sends.`;
  }
  if (purchase.minimumTokens !== BigInt(order.minimumTokens)) {
    yield `${name} asks for at least ${purchase.minimumTokens} units, not ${order.minimumTokens}.`;
  }
  const { slippageBps } = receipt.rules;
  const quoted = BigInt(order.quotedTokens);
  const allowed = [false, true].map((isRetry) => minimumOut(quoted, orderSlippage(BigInt(slippageBps), isRetry)));
  if (!allowed.includes(purchase.minimumTokens)) {
    yield `${name} asks for at least ${purchase.minimumTokens} units, which does not follow from its quote of ${quoted} and the slippage limit of ${slippageBps} basis points.`;
  }
  const lifeSeconds = rules.orderLifeMs / 1000;
  if (purchase.deadlineSeconds > BigInt(fact.blockSeconds + lifeSeconds)) {
    yield `${name} was valid for longer than ${lifeSeconds} seconds.`;
  }
}

/** Checks the result of an order against the events of token and pool. */
function* outcomeBroken(evidence: Evidence, order: SignedOrder, fact: TransactionFact): Generator<string> {
  const { wallet, token } = evidence.receipt;
  const name = `Order ${order.number}`;
  const received = BigInt(order.receivedTokens);
  const movements = movementsOf(fact.logs, token.address);
  if (movements.some(({ from }) => from === wallet)) yield `${name} moved tokens out of the wallet: it is no purchase.`;
  const arrived = movements.filter(({ to }) => to === wallet);
  const reportedByToken = arrived.reduce((total, { amount }) => total + amount, 0n);
  const sales = salesOf(evidence, order, fact);
  const sale = sales.at(-1);
  // A token's event may overstate the amount: no more was bought than the pool sold.
  const sum = smaller(reportedByToken, sale?.sold ?? reportedByToken);
  if (sum !== received) yield `${name} brought ${evidence.tokens(sum)}, not ${evidence.tokens(received)}.`;
  const price = received === 0n ? null : `${priceOf(BigInt(order.tradeWei), received)}`;
  if (price !== order.priceX96)
    yield `${name} was bought at ${price}, not at ${order.priceX96} (wei for the smallest unit × 2^96).`;
  if (order.result !== 'filled') return;
  // A token keeps a part of each transfer: the pool cannot see that, and the job must end (design § 4a).
  if (received < BigInt(order.minimumTokens) && evidence.receipt.ending?.kind !== 'technical') {
    yield `${name} brought less than its minimum, but the job continued.`;
  }
  const read = evidence.purchase(order);
  if (!read) return;
  // A token may move without an event: then only the pool's event shows the trade.
  const isSold = arrived.length === 0 || arrived.some(({ from }) => sales.some(({ pool }) => pool === from));
  if (!sale || !isSold) {
    yield `${name} did not buy from a pool that its exchange's factory names for the token: no such pool has an event of the trade.`;
    return;
  }
  // A pair counts strangers' earlier transfers to it as paid by the next trade, so more than the order's HYPE is fine.
  if (sale.paidWei < BigInt(order.tradeWei)) {
    yield `${name} paid ${hype(sale.paidWei)} of ${hype(BigInt(order.tradeWei))} to its pool.`;
  }
}

/** Pool events of a purchase: at a known exchange only from the pool that its factory names, at others from any contract. */
function salesOf(evidence: Evidence, order: SignedOrder, { logs }: TransactionFact): readonly PoolSale[] {
  const read = order.result === 'voided' ? undefined : evidence.purchase(order);
  if (!read) return [];
  const { venue, proof, purchase } = read;
  const sales = salesIn(logs, proof, purchase);
  if (!venue) return sales;
  const named = evidence.facts.pools.get(poolKey(venue, purchase));
  return sales.filter(({ pool }) => pool === named);
}

/** Only the service states the reference price. Source: design § 2.4. */
export function* priceBand({ receipt }: Evidence): Generator<string> {
  const { seenPriceX96, bandBps } = receipt.rules;
  let reference = seenPriceX96 === null ? undefined : BigInt(seenPriceX96);
  for (const { number, tradeWei, quotedTokens, result } of receipt.orders) {
    if (result === 'voided') continue;
    if (quotedTokens === '0') {
      yield `Order ${number} has a quote of 0 tokens.`;
      return;
    }
    // Quotes are rounded down to whole units, so this price assumes one unit more.
    const price = priceOf(BigInt(tradeWei), BigInt(quotedTokens) + 1n);
    reference ??= price;
    const rise = reference === 0n ? 0n : riseBps(price, reference);
    if (rise > BigInt(bandBps)) {
      yield `Order ${number} was placed ${Number(rise) / 100} % above the reference price of the band; the published limit is ${bandBps / 100} %.`;
    }
  }
}

/** Highest price of an order, by the events of token and pool; undefined if no order brought tokens. */
export function dearestPrice({ receipt }: Evidence): bigint | undefined {
  const filled = receipt.orders.filter(({ result }) => result === 'filled');
  const prices = filled.flatMap(({ priceX96 }) => (priceX96 === null ? [] : BigInt(priceX96)));
  return prices.sort(ascending).at(-1);
}
