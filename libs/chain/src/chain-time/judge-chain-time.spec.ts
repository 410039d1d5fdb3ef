import { describe, expect, it } from 'vitest';
import { judgeChainTime } from './judge-chain-time.ts';

const NOW_MS = 1_000_000_000_000;
const BOUND_MS = 60_000;
const DAY_MS = 86_400_000;
const judge = (answersMs: readonly number[], previousMs?: number, machineMs = NOW_MS) =>
  judgeChainTime({ answersMs, previousMs, machineMs, boundMs: BOUND_MS });

describe('the time of the chain', () => {
  it('is the block’s time within the bound', () => {
    expect(judge([NOW_MS - 1000])).toEqual({ kind: 'sound', timeMs: NOW_MS - 1000 });
    expect(judge([NOW_MS + BOUND_MS])).toEqual({ kind: 'sound', timeMs: NOW_MS + BOUND_MS });
    expect(judge([NOW_MS - BOUND_MS])).toEqual({ kind: 'sound', timeMs: NOW_MS - BOUND_MS });
  });

  it('is unknown when a lone host runs ahead', () => {
    expect(judge([NOW_MS + 30 * DAY_MS])).toEqual({ kind: 'ahead', byMs: 30 * DAY_MS });
    expect(judge([NOW_MS + BOUND_MS + 1])).toMatchObject({ kind: 'ahead' });
  });

  it('is behind on a fast machine or old block', () => {
    expect(judge([NOW_MS - BOUND_MS - 1])).toMatchObject({ kind: 'behind' });
    expect(judge([NOW_MS], undefined, NOW_MS - 3 * DAY_MS)).toMatchObject({ kind: 'ahead' });
    expect(judge([NOW_MS], undefined, NOW_MS + 3 * DAY_MS)).toMatchObject({ kind: 'behind' });
  });

  it('is not moved forward by one lying host', () => {
    const lie = NOW_MS + 30 * DAY_MS;
    expect(judge([lie, NOW_MS])).toEqual({ kind: 'sound', timeMs: NOW_MS });
    expect(judge([NOW_MS, lie])).toEqual({ kind: 'sound', timeMs: NOW_MS });
    expect(judge([NOW_MS + 1000, lie, NOW_MS])).toEqual({ kind: 'sound', timeMs: NOW_MS + 1000 });
    expect(judge([0, NOW_MS + 1000, NOW_MS])).toEqual({ kind: 'sound', timeMs: NOW_MS });
  });

  it('never goes back', () => {
    expect(judge([NOW_MS - 5000], NOW_MS - 1000)).toEqual({ kind: 'sound', timeMs: NOW_MS - 1000 });
    expect(judge([NOW_MS, 0], NOW_MS - 1000)).toEqual({ kind: 'behind', timeMs: NOW_MS - 1000 });
  });

  it('needs at least one host', () => {
    expect(() => judge([])).toThrow(RangeError);
  });
});
