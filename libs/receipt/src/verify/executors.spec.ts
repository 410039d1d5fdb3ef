import { expect, it } from 'vitest';
import { DEVIATIONS } from '../deviating-executors.fixture.ts';
import { VENUES } from '../parties.fixture.ts';
import { wordingOf } from '../purchases.fixture.ts';
import { caught, expectCaught, expectHonest } from './executors.fixture.ts';

// The same with a thousand executors: executors.long.integration.spec.ts.

it.each(DEVIATIONS.map((deviation) => [deviation.name, deviation] as const))(
  'catches an executor: %s',
  (_, deviation) => {
    expectCaught([deviation], 3);
  },
);

it('accepts honest executors on any exchange', () => {
  expectHonest(40);
});

it.each([...new Set(VENUES.map(wordingOf))])('accepts honest executors on %s', (words) => {
  expectHonest(4, (venue) => wordingOf(venue) === words);
});

it('knows of each rule an executor that breaks it', () => {
  const rules = new Set(DEVIATIONS.filter(({ toldAs }) => !toldAs).map((deviation) => caught(deviation)));
  expect([...rules].sort()).toEqual([
    'balance',
    'delivery',
    'ending',
    'fee',
    'gas_price',
    'money_in',
    'only_buys',
    'pauses',
    'price_band',
    'returns',
    'rules',
    'schedule',
    'wallet',
  ]);
});
