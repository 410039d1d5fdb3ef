import { describe, it } from 'vitest';
import { expectLawsInHistory } from './histories.fixture.ts';
import type { HistoryEvent } from './simulated-world.fixture.ts';

const blocks = (count: number, seconds: number): HistoryEvent => ({ kind: 'blocks', count, seconds });
const reorganise = (depth: number): HistoryEvent => ({ kind: 'reorganise', depth });
const circumstance = (change: Extract<HistoryEvent, { kind: 'circumstance' }>['change']): HistoryEvent => ({
  kind: 'circumstance',
  change,
});

describe('histories that once broke a law', () => {
  it.each<[title: string, history: readonly HistoryEvent[]]>([
    [
      'a fee mined again at more gas leaves too little for the return',
      [blocks(1, 450), blocks(3, 1), circumstance({ baseFeeWei: 11_000_000_000n }), reorganise(3), blocks(3, 1)],
    ],
    [
      'a new owner after a reorganisation ends the job in time',
      [blocks(3, 1), reorganise(2), { kind: 'handOver' }, blocks(1, 450), blocks(1, 1), blocks(1, 450)],
    ],
    [
      'a refund settles after a lost answer',
      [
        blocks(4, 1),
        reorganise(1),
        blocks(1, 120),
        { kind: 'loseAnswer' },
        { kind: 'deposit', from: 0, isDust: false, isKnown: true },
        blocks(1, 900),
      ],
    ],
    [
      'the first tick that works after the grace ends the job',
      [
        blocks(1, 900),
        { kind: 'databaseFails', times: 3 },
        blocks(1, 900),
        { kind: 'readsFail', times: 5 },
        blocks(1, 900),
        blocks(6, 10),
      ],
    ],
  ])('%s', async (_title, history) => expectLawsInHistory(history));
});
