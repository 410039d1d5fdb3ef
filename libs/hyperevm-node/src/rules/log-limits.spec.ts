import { describe, expect, it } from 'vitest';
import { readLogFilter } from './log-limits.ts';

const RANGE = { head: 1_000, oldest: 0 };
const topics = (count: number) => Array<string>(count).fill(`0x${'11'.repeat(32)}`);

describe('a query of logs', () => {
  it('may span 50 blocks and not 51', () => {
    expect(readLogFilter({ fromBlock: '0x1', toBlock: '0x32' }, RANGE)).toMatchObject({ fromBlock: 1, toBlock: 50 });
    expect(() => readLogFilter({ fromBlock: '0x1', toBlock: '0x33' }, RANGE)).toThrow('51 blocks, at most 50');
  });

  it('may name 4 topics in all, alternatives included', () => {
    expect(() => readLogFilter({ topics: topics(4) }, RANGE)).not.toThrow();
    expect(() => readLogFilter({ topics: [topics(3), null, topics(2)] }, RANGE)).toThrow('5 topics, at most 4');
  });

  it('defaults to the newest block', () => {
    expect(readLogFilter({}, RANGE)).toMatchObject({ fromBlock: 1_000, toBlock: 1_000 });
  });

  it('above the head is an error', () => {
    expect(() => readLogFilter({ fromBlock: '0x3e8', toBlock: '0x3e9' }, RANGE)).toThrow('invalid block height: 1001');
  });

  it('has a range that goes forward', () => {
    expect(() => readLogFilter({ fromBlock: '0x2', toBlock: '0x1' }, RANGE)).toThrow('fromBlock 2 is after toBlock 1');
  });
});
