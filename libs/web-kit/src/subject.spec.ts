import type { JobPlan } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { subjectOf } from './subject.ts';

const wei = (hype: string) => parseHype(hype).toString();
const TOKEN = {
  tokenAddress: '0xC5Fb000000000000000000000000000000000753d',
  liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false },
};

/** The server's answer for 1 HYPE. */
const plan = (changes: Partial<JobPlan> = {}) =>
  ({
    depositWei: wei('1'),
    feeWei: wei('0.3'),
    orderBudgetWei: wei('0.6'),
    spendableWei: wei('0.6'),
    purchase: { tokens: wei('598.234') },
    gas: { ordersWei: wei('0.003'), transfersWei: wei('0.0001') },
    token: { symbol: 'BOTH', decimals: 18 },
    ...changes,
  }) as JobPlan;
const texts = (...changes: Parameters<typeof plan>) => subjectOf(TOKEN, plan(...changes)).texts.join(' · ');

describe('the subject of a job', () => {
  it('names the token, the purchase, the fee and the return', () => {
    const { symbol, shortAddress } = subjectOf(TOKEN, plan());
    expect([symbol, shortAddress]).toEqual(['BOTH', '0xC5F...3d']);
    expect(texts()).toBe('1 HYPE buys about 598.2 BOTH · fee 0.3 · about 0.1 comes back');
  });

  it.each<[string, Partial<JobPlan>, string]>([
    ['a price', { purchase: { tokens: wei('299.1') } as never }, 'buys about 299.1 BOTH'],
    ['a fee', { feeWei: wei('0.2') }, 'fee 0.2 · about 0.2 comes back'],
    ['dear gas', { gas: { ordersWei: wei('0.05'), transfersWei: wei('0.03') } as never }, 'about 0.02 comes back'],
    [
      'gas of all the reserve',
      { gas: { ordersWei: wei('0.09'), transfersWei: wei('0.01') } as never },
      '· nothing comes',
    ],
    ['a shallow pool', { spendableWei: wei('0.2') }, 'about 598.2 BOTH · fee 0.3 · about 0.5 comes back'],
    ['a limit of the token', { tokenTakesWei: wei('0.3') }, 'about 299.1 BOTH · fee 0.3 · about 0.4 comes back'],
    ['no pool', { spendableWei: '0', purchase: { tokens: '0' } as never }, '1 HYPE buys nothing · fee 0.3 · about 0.7'],
  ])('follows an answer with %s', (_, changes, text) => {
    expect(texts(changes)).toContain(text);
  });

  it('divides the budget into three parts', () => {
    expect(subjectOf(TOKEN, plan()).shares).toEqual([0.603, 0.3, 0.096]);
  });

  it.each([
    ['0.3', undefined],
    ['0.29999', 'The fee, 0.3 HYPE, is more than the 0.2999 HYPE that buys tokens.'],
  ])('warns when %s HYPE buy for a fee of 0.3', (spendable, warning) => {
    expect(subjectOf(TOKEN, plan({ spendableWei: wei(spendable) })).warning).toBe(warning);
  });

  it('says budget and fee before the answer, and nothing earlier', () => {
    expect(subjectOf(TOKEN, undefined, parseHype('2')).texts).toEqual(['2 HYPE', 'fee 0.6']);
    expect(subjectOf(TOKEN).texts).toEqual([]);
  });
});
