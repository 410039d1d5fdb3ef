import type { Lease } from '@maker/persistence';
import { describe, expect, it } from 'vitest';
import { ScanState } from './scan-state.ts';

describe('what nobody waits for (law 3 of docs/threats.md: dust costs its sender)', () => {
  const state = () => new ScanState({} as Lease, { blocks: [], lastMissedBlock: -1 });

  it('is done after each block of a scan that is at the head', () => {
    const following = state();
    expect([1, 2, 3].map((block) => following.hasTime(block, block))).toEqual([true, true, true]);
  });

  it('is put off while newer blocks wait, but not for ever', () => {
    const behind = state();
    const times = Array.from({ length: 20 }, (_, index) => behind.hasTime(index, index + 3));
    expect(times.flatMap((hasTime, index) => (hasTime ? [index] : []))).toEqual([8, 17]);
  });

  it('is done at once when the scan has caught up', () => {
    const behind = state();
    expect([behind.hasTime(1, 3), behind.hasTime(2, 3), behind.hasTime(3, 3)]).toEqual([false, false, true]);
  });
});

it('the block that is confirmed has so many on top of it', () => {
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
