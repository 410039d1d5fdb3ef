import { describe, expect, it } from 'vitest';
import { isBigBlockDue, kindOfBlock, nextTimestamp } from './block-schedule.ts';

describe('the schedule of blocks', () => {
  it('has a big block each minute', () => {
    expect(isBigBlockDue(119, 120, 60)).toBe(true);
    expect(isBigBlockDue(120, 121, 60)).toBe(false);
    expect(isBigBlockDue(118, 119, 60)).toBe(false);
  });

  it('has one big block after any pause', () => {
    expect(isBigBlockDue(119, 1_000, 60)).toBe(true);
  });

  it('has no big block without an interval', () => {
    expect(isBigBlockDue(119, 120, 0)).toBe(false);
  });

  it('follows the clock or outruns it', () => {
    expect(nextTimestamp(100, 1, 103)).toBe(103);
    expect(nextTimestamp(103, 1, 103)).toBe(104);
    expect(nextTimestamp(200, 5, 103)).toBe(205);
  });

  it('derives the kind of a block from its gas limit', () => {
    expect([kindOfBlock(3_000_000n), kindOfBlock(30_000_000n)]).toEqual(['small', 'big']);
  });
});
