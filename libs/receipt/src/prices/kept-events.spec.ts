import { expect, it } from 'vitest';
import { KeptEvents } from './kept-events.ts';
import type { Moment, PlacedEvent } from './moments.ts';

const WEIGHTS = { '0x01': 'state', '0x02': 'change', '0x03': 'fee' } as const;
type Topic = keyof typeof WEIGHTS | '0x04';

const event = (blockNumber: number, topic: Topic, data: `0x${string}` = '0x'): PlacedEvent => ({
  address: '0xaa',
  topics: [topic],
  data,
  blockNumber,
  transactionIndex: 1,
  logIndex: 0,
  transactionHash: `0x${blockNumber}`,
});
const blocksOf = (
  moments: readonly Moment[],
  own: readonly number[],
  transactions: readonly (readonly PlacedEvent[])[],
) => {
  const kept = new KeptEvents((one) => WEIGHTS[one.topics[0] as keyof typeof WEIGHTS], moments, new Set(own));
  for (const events of transactions) kept.add(events);
  return kept.all.map(({ blockNumber }) => blockNumber);
};
const at = (blockNumber: number): Moment => ({ blockNumber, transactionIndex: 0 });
const states = (blocks: readonly number[]) => blocks.map((block) => [event(block, '0x01')]);

it('keeps the last state before each moment', () => {
  expect(blocksOf([at(5), at(8)], [], states([1, 2, 4, 6, 7, 9, 10]))).toEqual([4, 7, 10]);
});

it('keeps each change of positions', () => {
  const transactions = [[event(1, '0x01')], [event(2, '0x02')], [event(3, '0x01')], [event(4, '0x01')]];
  expect(blocksOf([at(9)], [], transactions)).toEqual([1, 2, 4]);
});

it('keeps each fee once', () => {
  const swap = (block: number, fee: `0x${string}`) => [event(block, '0x03', fee), event(block, '0x01')];
  expect(blocksOf([], [], [swap(1, '0xa0'), swap(2, '0xa1'), swap(3, '0xa0'), swap(4, '0xa1')])).toEqual([
    1, 1, 2, 2, 4, 4,
  ]);
});

it('keeps all neighbours of an order', () => {
  const transactions = [[event(3, '0x01')], [event(3, '0x04')], [event(3, '0x01')], [event(4, '0x04')]];
  expect(blocksOf([at(3)], [3], transactions)).toEqual([3, 3, 3]);
});
