import { LARGEST_ORDER_WEI, priceOf } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import type { TransactionFact } from '../chain/chain-facts.ts';
import {
  buyCall,
  POOL,
  STRANGER,
  TOKEN,
  transferLog,
  WALLET,
  WRAPPED,
  withTransaction,
} from '../honest-receipt.fixture.ts';
import { type CallChange, swapLog } from '../purchases.fixture.ts';
import { SimulatedExecutor } from '../simulated-executor.fixture.ts';
import {
  facts,
  found,
  OTHER,
  onChain,
  orderOf,
  ordersWith,
  receipt,
  rulesWith,
  statement,
  V3,
} from './each-problem.fixture.ts';
import { Evidence } from './evidence.ts';
import { onlyBuys, priceBand } from './order-rules.ts';

// Each case has one fault and calls the rule directly, because an earlier rule would report it first.

describe('orders', () => {
  const [order] = receipt.orders;
  if (!order) throw new Error('an order');
  const changed = (change: Partial<TransactionFact>) => found(onlyBuys, {}, onChain(order.transactionHash, change));
  const logs = facts.transactions.get(order.transactionHash)?.logs ?? [];

  it('have consecutive numbers', () => {
    const orders = receipt.orders.filter(({ number }) => number !== 2);
    expect(found(onlyBuys, { orders })[0]).toBe('Order 2 is missing: the receipt continues with 3.');
  });

  it('have no effect if given up', () => {
    const voided = (change: Partial<TransactionFact>) =>
      found(onlyBuys, {}, onChain(orderOf(5).transactionHash, change));
    const sentence = ['Order 5 is listed as given up, but its transaction has an effect.'];
    expect(voided({ to: STRANGER })).toEqual(sentence);
    expect(voided({ valueWei: 1n })).toEqual(sentence);
    expect(voided({ input: '0x00' })).toEqual(sentence);
    expect(found(onlyBuys, ordersWith(5, { receivedTokens: '1' }))[0]).toBe(
      'Order 5 was given up and cannot have brought tokens.',
    );
  });

  it('go to their exchange’s router with their amount', () => {
    expect(changed({ to: STRANGER })).toEqual([
      `Order 1 went to ${STRANGER}, which is not the router of an exchange that this verifier knows.`,
    ]);
    expect(changed({ to: null })).toEqual([
      'Order 1 went to null, which is not the router of an exchange that this verifier knows.',
    ]);
    expect(found(onlyBuys, ordersWith(1, { venue: 'another' }))).toEqual([
      'Order 1 went to the router of hyperswap-v2, but the receipt names another exchange.',
    ]);
    expect(changed({ valueWei: 7n })).toEqual(['Order 1 spends 0.000000000000000007 HYPE, not 0.0004 HYPE.']);
    const larger = LARGEST_ORDER_WEI + 1n;
    expect(changed({ valueWei: larger })).toContain('Order 1 is larger than the rules allow.');
    expect(changed({ valueWei: LARGEST_ORDER_WEI })).not.toContain('Order 1 is larger than the rules allow.');
  });

  it('are calls that buy', () => {
    const none = ['Order 1 is not a purchase of a token: its call does not buy from any exchange.'];
    expect(changed({ input: '0x' })).toEqual(none);
    const minimum = BigInt(order.minimumTokens);
    const deadline = BigInt(facts.transactions.get(order.transactionHash)?.blockSeconds ?? 0);
    expect(changed({ input: buyCall({ path: [WRAPPED, STRANGER], minimum }) })[0]).toMatch(
      /^Order 1 buys 0x[bB]{40}, not the job's token\.$/,
    );
    expect(changed({ input: buyCall({ minimum: minimum + 1n }) })).toEqual([
      `Order 1 asks for at least ${minimum + 1n} units, not ${minimum}.`,
      `Order 1 asks for at least ${minimum + 1n} units, which does not follow from its quote of ${order.quotedTokens} and the slippage limit of 100 basis points.`,
    ]);
    expect(changed({ input: buyCall({ minimum, deadline: deadline + 120n }) })).toEqual([]);
    expect(changed({ input: buyCall({ minimum, deadline: deadline + 121n }) })).toEqual([
      'Order 1 was valid for longer than 120 seconds.',
    ]);
  });

  it('of another shape of exchange spend all that they send', () => {
    const v3 = new SimulatedExecutor({ venue: V3, orderCount: 1 }).run();
    const [only] = v3.receipt.orders;
    if (!only) throw new Error('an order');
    const all = BigInt(only.tradeWei);
    const spending = (amountIn: bigint, more: CallChange = {}) => {
      const input = buyCall({ minimum: BigInt(only.minimumTokens), amountIn, ...more }, V3);
      return [...onlyBuys(new Evidence(v3.receipt, withTransaction(v3, only.transactionHash, { input })))];
    };
    expect(spending(all)).toEqual([]);
    expect(spending(all - 1n)).toEqual(['Order 1 spends 0.000399999999999999 HYPE of the 0.0004 HYPE that it sends.']);
    expect(spending(all, { sqrtPriceLimitX96: 7n })).toEqual([
      'Order 1 stops at a price, and leaves in the router what it did not spend.',
    ]);
  });

  it('pay wrapped HYPE and name no referrer', () => {
    const minimum = BigInt(order.minimumTokens);
    expect(changed({ input: buyCall({ minimum, referrer: OTHER }) })).toEqual([
      expect.stringMatching(/^Order 1 names 0x9{40} as its referrer, who is paid for it\.$/),
    ]);
    expect(changed({ input: buyCall({ minimum, path: [OTHER, TOKEN] }) })[0]).toMatch(
      /^Order 1 pays with 0x9{40}, which is not wrapped HYPE\.$/,
    );
  });

  it('buy from the factory’s pool with everything', () => {
    const sentence =
      "Order 1 did not buy from a pool that its exchange's factory names for the token: no such pool has an event of the trade.";
    const noPool = { ...facts, pools: new Map([...facts.pools.keys()].map((key) => [key, null])) };
    expect(found(onlyBuys, {}, noPool)).toContain(sentence);
    const received = BigInt(order.receivedTokens);
    const own = [swapLog(BigInt(order.tradeWei), received, OTHER), transferLog(OTHER, WALLET, received)];
    expect(changed({ logs: own })).toEqual([sentence]);
    const given = [swapLog(BigInt(order.tradeWei) + 1n, received), transferLog(POOL, WALLET, received)];
    expect(changed({ logs: given })).toEqual([]);
    const part = [swapLog(1n, received), transferLog(POOL, WALLET, received)];
    expect(changed({ logs: part })).toEqual(['Order 1 paid 0.000000000000000001 HYPE of 0.0004 HYPE to its pool.']);
  });

  it('match the events of token and pool', () => {
    const received = BigInt(order.receivedTokens);
    expect(found(onlyBuys, ordersWith(1, { priceX96: '7' }))[0]).toMatch(
      /^Order 1 was bought at \d+, not at 7 \(wei for the smallest unit × 2\^96\)\.$/,
    );
    expect(changed({ logs: [...logs, transferLog(WALLET, STRANGER, 1n)] })).toEqual([
      'Order 1 moved tokens out of the wallet: it is no purchase.',
    ]);
    const more = changed({ logs: [...logs.slice(0, 1), transferLog(OTHER, WALLET, received - 10n ** 18n)] });
    expect(more).toContain(`Order 1 brought ${Number(received / 10n ** 18n) - 1} tokens, not 39960 tokens.`);
    expect(more).toContain(
      "Order 1 did not buy from a pool that its exchange's factory names for the token: no such pool has an event of the trade.",
    );
    expect(changed({ logs: logs.slice(1) })).toEqual([
      "Order 1 did not buy from a pool that its exchange's factory names for the token: no such pool has an event of the trade.",
    ]);
  });

  it('match the tokens that arrived', () => {
    const [sale, arrival] = logs;
    if (!sale || !arrival) throw new Error('a sale and its arrival');
    const pool = `0x${'e2'.repeat(20)}` as const;
    const bringing = (received: bigint, ...all: typeof logs) =>
      found(
        onlyBuys,
        ordersWith(1, { receivedTokens: `${received}`, priceX96: `${priceOf(BigInt(order.tradeWei), received)}` }),
        onChain(order.transactionHash, { logs: all }),
      );
    const received = BigInt(order.receivedTokens);
    const kept = 10n ** 18n;
    const shared = [transferLog(pool, WALLET, received - kept), transferLog(pool, STRANGER, kept)];
    expect(bringing(received - kept, sale, ...shared)).toEqual([]);
    const least = BigInt(order.minimumTokens);
    expect(bringing(least, sale, transferLog(pool, WALLET, least))).toEqual([]);
    expect(bringing(received, sale, arrival, transferLog(STRANGER, WALLET, 1n))).toEqual([]);
    expect(bringing(received, { ...sale, address: OTHER }, sale, arrival)).toEqual([]);
  });

  it('need an event of the pool', () => {
    const technical = receipt.ending && { ...receipt.ending, kind: 'technical' as const };
    const nothing = { ...ordersWith(1, { receivedTokens: '0', priceX96: null }), ending: technical };
    expect(found(onlyBuys, nothing, onChain(order.transactionHash, { logs: [] }))).toEqual([
      "Order 1 did not buy from a pool that its exchange's factory names for the token: no such pool has an event of the trade.",
    ]);
  });

  it('below their minimum end the job', () => {
    const short = { ...ordersWith(1, { receivedTokens: '1', priceX96: `${BigInt(order.tradeWei) * 2n ** 96n}` }) };
    const chain = onChain(order.transactionHash, {
      logs: [...logs.slice(0, 1), transferLog(`0x${'e2'.repeat(20)}`, WALLET, 1n)],
    });
    expect(found(onlyBuys, short, chain)).toEqual(['Order 1 brought less than its minimum, but the job continued.']);
    const technical = receipt.ending && { ...receipt.ending, kind: 'technical' as const };
    expect(found(onlyBuys, { ...short, ending: technical }, chain)).toEqual([]);
    expect(found(onlyBuys, { ...short, ending: null }, chain)).toHaveLength(1);
  });
});

describe('the price band', () => {
  it('starts at the seen price or first order', () => {
    const quoted = (number: number, quotedTokens: string) => ordersWith(number, { quotedTokens });
    expect(found(priceBand, quoted(2, '0'))).toEqual(['Order 2 has a quote of 0 tokens.']);
    expect(found(priceBand, quoted(5, '0'))).toEqual([]);
    const tenth = (10n * BigInt(orderOf(2).quotedTokens)) / 11n;
    expect(found(priceBand, quoted(2, `${tenth}`))).toEqual([]);
    expect(found(priceBand, quoted(2, `${tenth - 10n ** 18n * 4n}`))).toEqual([
      'Order 2 was placed 10.02 % above the reference price of the band; the published limit is 10 %.',
    ]);
    const unseen = rulesWith({ seenPriceX96: null });
    expect(found(priceBand, { ...unseen, ...quoted(2, `${tenth - 10n ** 18n * 4n}`) })).toHaveLength(1);
    expect(found(priceBand, { ...unseen, ...quoted(1, `${tenth / 2n}`) })).toEqual([]);
    expect(found(priceBand, rulesWith({ seenPriceX96: '0' }))).toEqual([]);
    expect(statement(priceBand)).toBe('Price: no order paid more than 0.00000001001001001 HYPE for a token.');
    expect(statement(priceBand, { orders: [] })).toBe('Price: no order brought tokens.');
  });
});
