import { LARGEST_ORDER_WEI, minimumOut, orderSlippage, priceOf, riseBps, smaller } from '@maker/rules';
import { isAddressEqual } from 'viem';
import type { TransactionFact } from '../chain/chain-facts.ts';
import { type Buy, readBuy } from '../chain/read-buy.ts';
import { movementsOf, salesIn } from '../chain/token-movements.ts';
import type { SignedOrder } from '../file/receipt-file.ts';
import { type Evidence, hype } from './evidence.ts';
import type { Rule } from './rule.ts';

/** Source: design § 2.2. */
export const onlyBuys: Rule = {
  id: 'only_buys',
  statement: (evidence) => {
    const { sums } = evidence.receipt;
    return `Only buys: ${sums.ordersFilled} purchases from pools brought ${evidence.tokens(BigInt(sums.boughtTokens))}; no token was ever sold.`;
  },
  *broken(evidence) {
    for (const [index, order] of evidence.receipt.orders.entries()) {
      if (order.number !== index + 1) yield `Order ${index + 1} is missing: the receipt goes on with ${order.number}.`;
      const fact = evidence.transaction(order.transactionHash);
      if (order.result === 'voided') yield* voidBroken(evidence, order, fact);
      else yield* buyBroken(evidence, order, fact);
      yield* outcomeBroken(evidence, order, fact);
    }
  },
};

function* voidBroken({ receipt }: Evidence, { number, receivedTokens }: SignedOrder, fact: TransactionFact) {
  if (fact.to !== receipt.wallet || fact.valueWei !== 0n || fact.input !== '0x') {
    yield `Order ${number} is said to be given up, but its transaction does something.`;
  }
  if (receivedTokens !== '0') yield `Order ${number} was given up and cannot have brought tokens.`;
}

function* buyBroken(evidence: Evidence, order: SignedOrder, fact: TransactionFact): Generator<string> {
  const { receipt } = evidence;
  const name = `Order ${order.number}`;
  const routers = receipt.rules.venues.filter(({ id }) => id === order.venue).map(({ router }) => router);
  if (fact.to === null || !routers.includes(fact.to)) {
    yield `${name} went to ${fact.to}, which the receipt does not list as a router of '${order.venue}'.`;
  }
  if (fact.valueWei !== BigInt(order.tradeWei)) {
    yield `${name} spends ${hype(fact.valueWei)}, not ${hype(BigInt(order.tradeWei))}.`;
  }
  if (fact.valueWei > LARGEST_ORDER_WEI) yield `${name} is larger than any order may be.`;
  const buy = readBuy(fact.input);
  if (buy) yield* callBroken(evidence, order, fact, buy);
  else yield `${name} is not the purchase of a token: its call is none of an exchange's buys.`;
}

function* callBroken({ receipt }: Evidence, order: SignedOrder, fact: TransactionFact, buy: Buy): Generator<string> {
  const name = `Order ${order.number}`;
  if (!isAddressEqual(buy.tokenOut, receipt.token.address)) yield `${name} buys ${buy.tokenOut}, not the job's token.`;
  if (!isAddressEqual(buy.recipient, receipt.wallet)) yield `${name} sends what it buys to ${buy.recipient}.`;
  if (buy.amountInWei !== null && buy.amountInWei !== fact.valueWei) {
    yield `${name} spends ${hype(buy.amountInWei)} of the ${hype(fact.valueWei)} that it sends.`;
  }
  if (buy.minimumTokens !== BigInt(order.minimumTokens)) {
    yield `${name} asks for at least ${buy.minimumTokens} units, not ${order.minimumTokens}.`;
  }
  const { slippageBps, orderLifeSeconds } = receipt.rules;
  const quoted = BigInt(order.quotedTokens);
  const allowed = [false, true].map((isRetry) => minimumOut(quoted, orderSlippage(BigInt(slippageBps), isRetry)));
  if (!allowed.includes(buy.minimumTokens)) {
    yield `${name} asks for ${buy.minimumTokens} units at least, which does not follow from its quote of ${quoted} and the slippage limit of ${slippageBps} basis points.`;
  }
  if (buy.deadlineSeconds > BigInt(fact.blockSeconds + orderLifeSeconds)) {
    yield `${name} was valid for longer than ${orderLifeSeconds} seconds.`;
  }
}

/** What came of an order, by the events of token and pool. */
function* outcomeBroken(evidence: Evidence, order: SignedOrder, fact: TransactionFact): Generator<string> {
  const { wallet, token } = evidence.receipt;
  const name = `Order ${order.number}`;
  const received = BigInt(order.receivedTokens);
  const movements = movementsOf(fact.logs, token.address);
  if (movements.some(({ from }) => from === wallet)) yield `${name} moved tokens out of the wallet: it is no purchase.`;
  const arrived = movements.filter(({ to }) => to === wallet);
  const toldByToken = arrived.reduce((total, { amount }) => total + amount, 0n);
  const sales = salesIn(fact.logs);
  // An event may boast: no more was bought than the pool gave.
  const sum = smaller(toldByToken, sales.at(-1)?.sold ?? toldByToken);
  if (sum !== received) yield `${name} brought ${evidence.tokens(sum)}, not ${evidence.tokens(received)}.`;
  const price = received === 0n ? null : `${priceOf(BigInt(order.tradeWei), received)}`;
  if (price !== order.priceX96)
    yield `${name} was bought at ${price}, not at ${order.priceX96} (wei for the smallest unit × 2^96).`;
  if (order.result !== 'filled') return;
  // A token that keeps a part of what it moves: no pool notices, and the job ends for it (design § 4a).
  if (received < BigInt(order.minimumTokens) && evidence.receipt.ending?.kind !== 'technical') {
    yield `${name} brought less than the least that it asks for, and the job went on.`;
  }
  // A token may say that it moved and tell of no movement: then only the pool tells of the trade.
  const isSold = arrived.length === 0 || arrived.some(({ from }) => sales.some(({ pool }) => pool === from));
  if (sales.length === 0 || !isSold) yield `${name} did not buy from a pool: no pool tells of the trade.`;
}

/** Source: design § 2.4. */
export const priceBand: Rule = {
  id: 'price_band',
  statement: ({ receipt }) =>
    `Price band: no order was placed at more than ${receipt.rules.bandBps / 100} % above the price that it is measured from.`,
  *broken({ receipt }) {
    const { seenPriceX96, bandBps } = receipt.rules;
    let reference = seenPriceX96 === null ? undefined : BigInt(seenPriceX96);
    for (const { number, tradeWei, quotedTokens, result } of receipt.orders) {
      if (result === 'voided') continue;
      if (quotedTokens === '0') {
        yield `Order ${number} was quoted nothing.`;
        return;
      }
      // A quote is cut to whole units: the price is one that a unit more would have had.
      const price = priceOf(BigInt(tradeWei), BigInt(quotedTokens) + 1n);
      reference ??= price;
      const rise = reference === 0n ? 0n : riseBps(price, reference);
      if (rise > BigInt(bandBps)) {
        yield `Order ${number} was placed at a price ${Number(rise) / 100} % above the one that the band is measured from; at most ${bandBps / 100} % were published.`;
      }
    }
  },
};
