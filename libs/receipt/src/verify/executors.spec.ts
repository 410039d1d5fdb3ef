import { expect, it } from 'vitest';
import { DEVIATIONS } from '../deviating-executors.fixture.ts';
import { VENUES } from '../parties.fixture.ts';
import { formatNameOf } from '../purchases.fixture.ts';
import { caught, expectCaught, expectHonest } from './executors.fixture.ts';

// executors.long.integration.spec.ts repeats this with 1,000 executors.

it.each(DEVIATIONS.map((deviation) => [deviation.name, deviation] as const))(
  'catches an executor: %s',
  (_, deviation) => {
    expectCaught([deviation], 3);
  },
);

it('accepts honest executors on any exchange', () => {
  expectHonest(40);
});

it.each([...new Set(VENUES.map(formatNameOf))])('accepts honest executors on %s', (format) => {
  expectHonest(4, (venue) => formatNameOf(venue) === format);
});

it('breaks each rule with at least one executor', () => {
  const rules = new Set(DEVIATIONS.filter(({ listedAs }) => !listedAs).map((deviation) => caught(deviation)));
  expect([...rules].sort()).toEqual([
    'agreement',
    'balance',
    'delivery',
    'ending',
    'fee',
    'gas_price',
    'money_in',
    'only_buys',
    'pauses',
    'price_band',
    'purpose',
    'returns',
    'rules',
    'schedule',
    'wallet',
  ]);
});
