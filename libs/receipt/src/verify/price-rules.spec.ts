import { describe, expect, it } from 'vitest';
import type { JudgedOrder, JudgedPrices } from '../prices/judge-prices.ts';
import { SimulatedExecutor } from '../simulated-executor.fixture.ts';
import { Evidence } from './evidence.ts';
import { bestPrice, bestPriceSentences, uncheckedPrices } from './price-rules.ts';

const { receipt, facts } = new SimulatedExecutor({ orderCount: 4, outcome: () => 'filled' }).run();
const TOKEN = 10n ** 18n;
const order = (number: number, change: Partial<JudgedOrder> = {}): JudgedOrder => ({
  number,
  receivedTokens: 100n * TOKEN,
  bestTokens: 100n * TOKEN,
  bestVenue: 'hyperswap-v3',
  turnArounds: [],
  ...change,
});
const evidence = (orders: readonly JudgedOrder[], incomplete: JudgedPrices['incomplete'] = []) =>
  new Evidence(receipt, { ...facts, prices: { orders, incomplete } });
const problems = (orders: readonly JudgedOrder[]) => [...bestPrice(evidence(orders))];

describe('the best price (docs/receipt.md)', () => {
  it('is the share of what the pools offered', () => {
    const orders = [order(1), order(2, { receivedTokens: 99n * TOKEN })];
    expect(problems(orders)).toEqual([]);
    expect([...bestPriceSentences(evidence(orders))]).toEqual([
      'Price: the job received 99.50 % of the best that the pools of the pair offered for its 2 orders, gas included (199 tokens of 200 tokens). No account bought in the pool before an order and sold after it in the same block.',
    ]);
  });

  it('breaks when the total is below the published slippage', () => {
    const orders = [order(1, { receivedTokens: 91n * TOKEN }), order(2, { receivedTokens: 92n * TOKEN })];
    expect(problems(orders)).toEqual([
      'The orders received 183 tokens. The best pools offered 200 tokens for the same cost, gas included: the job received 91.50 % of that, below the published slippage of 1 %.',
    ]);
  });

  it('names single orders and trades around them', () => {
    const around = { blockNumber: 7, purchase: '0x1', sale: '0x2', lostTokens: TOKEN, account: '0xaa' } as const;
    const cheap = order(3, { receivedTokens: 98n * TOKEN, turnArounds: [around] });
    const [text] = bestPriceSentences(evidence([order(1), order(2), cheap]));
    expect(text).toContain('Order 3 received 98.00 % of what hyperswap-v3 offered.');
    expect(text).toContain('In block 7, account 0xaa bought in the pool before order 3 and sold after it.');
    expect(text).toContain('the order would have received 1 tokens more');
  });

  it('says nothing without a check', () => {
    const unchecked = new Evidence(receipt, facts);
    expect([...bestPriceSentences(unchecked)]).toEqual([]);
    expect([...bestPrice(unchecked)]).toEqual([]);
    expect([...uncheckedPrices(unchecked)]).toEqual([
      expect.stringContaining('prices were not checked. The check takes at least'),
    ]);
  });

  it('counts orders before which a pool is not known', () => {
    expect([...uncheckedPrices(evidence([order(1)], [1]))]).toEqual([
      expect.stringContaining('for 1 orders: neither events nor the newest state'),
    ]);
    expect([...uncheckedPrices(evidence([order(1)]))]).toEqual([]);
  });
});
