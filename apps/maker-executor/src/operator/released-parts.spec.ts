import { MOST_RETURNS_RELEASED } from '@maker/contracts';
import { expect, it } from 'vitest';
import { releasedParts } from './released-parts.ts';

const refunds = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `r${index}`, amountWei: 2n }));

it('reports a release in one event', () => {
  expect(releasedParts(9n, [])).toEqual([{ amountWei: '9', returnIds: [] }]);
  expect(releasedParts(9n, refunds(2))).toEqual([{ amountWei: '9', returnIds: ['r0', 'r1'] }]);
});

it('splits any number of refunds into bounded messages', () => {
  const count = MOST_RETURNS_RELEASED * 20 + 1;
  const amountWei = BigInt(count) * 2n + 5n;
  const parts = releasedParts(amountWei, refunds(count));
  expect(parts).toHaveLength(21);
  for (const { returnIds } of parts) expect(returnIds.length).toBeLessThanOrEqual(MOST_RETURNS_RELEASED);
  expect(parts.flatMap(({ returnIds }) => returnIds)).toEqual(refunds(count).map(({ id }) => id));
  expect(parts.reduce((sum, part) => sum + BigInt(part.amountWei), 0n)).toBe(amountWei);
});

it('reports each part’s released sums, the rest last', () => {
  const most = BigInt(MOST_RETURNS_RELEASED);
  const amounts = (amountWei: bigint) =>
    releasedParts(amountWei, refunds(MOST_RETURNS_RELEASED * 2)).map((part) => BigInt(part.amountWei));
  expect(amounts(most * 4n + 5n)).toEqual([most * 2n, most * 2n + 5n]);
  expect(amounts(most)).toEqual([most, 0n]);
});
