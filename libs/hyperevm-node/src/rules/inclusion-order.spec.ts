import { describe, expect, it } from 'vitest';
import { inclusionOrder } from './inclusion-order.ts';

const candidate = (name: string, arrival: number, maxTipWei: bigint, maxFeePerGasWei = 200n) => ({
  name,
  arrival,
  maxTipWei,
  maxFeePerGasWei,
});
const names = (rows: ReturnType<typeof candidate>[][], order: 'tip' | 'arrival', most = 10) =>
  inclusionOrder(rows, { baseFeeWei: 100n, order, most }).map(({ name }) => name);

const ROWS = [
  [candidate('a1', 0, 5n), candidate('a2', 1, 90n)],
  [candidate('b1', 2, 20n)],
  [candidate('c1', 3, 500n, 110n)],
];

describe('the order of a block', () => {
  it('orders by tip, then by nonce', () => {
    expect(names(ROWS, 'tip')).toEqual(['b1', 'c1', 'a1', 'a2']);
  });

  it('orders by arrival where tips do not matter', () => {
    expect(names(ROWS, 'arrival')).toEqual(['a1', 'a2', 'b1', 'c1']);
  });

  it('skips underpaying transactions and their successors', () => {
    expect(
      names([[candidate('poor', 0, 1n, 99n), candidate('rich', 1, 50n)], [candidate('b1', 2, 1n)]], 'tip'),
    ).toEqual(['b1']);
  });

  it('stops at the requested number', () => {
    expect(names(ROWS, 'arrival', 2)).toEqual(['a1', 'a2']);
  });
});
