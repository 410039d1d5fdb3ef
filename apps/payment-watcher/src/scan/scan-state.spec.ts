import type { Lease } from '@maker/persistence';
import { describe, expect, it } from 'vitest';
import { ScanState } from './scan-state.ts';

describe('deferrable work (law 3 of docs/threats.md: dust costs its sender)', () => {
  const state = () => new ScanState({} as Lease, { blocks: [], lastMissedBlock: -1 });

  it('runs after each block at the head', () => {
    const following = state();
    expect([1, 2, 3].map((block) => following.hasTime(block, block))).toEqual([true, true, true]);
  });

  it('is delayed while newer blocks wait, with a limit', () => {
    const behind = state();
    const times = Array.from({ length: 20 }, (_, index) => behind.hasTime(index, index + 3));
    expect(times.flatMap((hasTime, index) => (hasTime ? [index] : []))).toEqual([8, 17]);
  });

  it('runs when the scan has caught up', () => {
    const behind = state();
    expect([behind.hasTime(1, 3), behind.hasTime(2, 3), behind.hasTime(3, 3)]).toEqual([false, false, true]);
  });
});

it('the confirmed block has the required depth', () => {
  const blocks = [7, 8, 9].map((number) => ({ number, hash: `0x${number}`, timestampMs: number }) as const);
  const state = new ScanState({} as Lease, { blocks, lastMissedBlock: 3 });
  expect([0, 1, 2, 3].map((confirmations) => state.confirmedBlock(confirmations)?.number)).toEqual([
    9,
    8,
    7,
    undefined,
  ]);
  expect(state.lastMissedBlock).toBe(3);
});
