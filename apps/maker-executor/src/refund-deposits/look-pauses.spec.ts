import { describe, expect, it } from 'vitest';
import { LookPauses } from './look-pauses.ts';

/** Looks at a wallet to which dust comes in every block. @returns heights */
function looksAt(pauses: LookPauses, blocks: number): number[] {
  const heights: number[] = [];
  for (let block = 0; block < blocks; block += 1) {
    if (!pauses.isOver('job', block)) continue;
    pauses.looked('job', block, true);
    heights.push(block);
  }
  return heights;
}

describe('LookPauses', () => {
  it('makes pauses grow while dust goes on, up to ten minutes of blocks (threats, law 3)', () => {
    const heights = looksAt(new LookPauses(), 4000);
    const pauses = heights.slice(1).map((height, index) => height - (heights[index] ?? 0));
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600, 600]);
  });

  it('does not make them grow by looks that were worth it', () => {
    const pauses = new LookPauses();
    for (let look = 0; look < 20; look += 1) pauses.looked('job', look, false);
    expect(pauses.isOver('job', 23)).toBe(false);
    expect(pauses.isOver('job', 24)).toBe(true);
  });

  it('begins anew with a wallet that was left alone for long, and keeps nothing of it', () => {
    const pauses = new LookPauses();
    looksAt(pauses, 4000);
    pauses.looked('another', 6000, true);
    pauses.looked('job', 6000, true);
    expect(pauses.isOver('job', 6004)).toBe(false);
    expect(pauses.isOver('job', 6005)).toBe(true);
  });

  it('forgets a wallet after 1,200 blocks, and not a block before', () => {
    const pauseAfterAnother = (otherAt: number) => {
      const pauses = new LookPauses();
      for (let look = 0; look < 3; look += 1) pauses.looked('job', 0, true);
      pauses.looked('another', otherAt, true);
      pauses.looked('job', 2000, true);
      return [5, 10, 20, 40].find((blocks) => pauses.isOver('job', 2000 + blocks));
    };
    expect(pauseAfterAnother(1199)).toBe(40);
    expect(pauseAfterAnother(1200)).toBe(5);
  });

  it('keeps what is not yet old behind what is', () => {
    const pauses = new LookPauses();
    for (let look = 0; look < 3; look += 1) pauses.looked('job', 500, true);
    pauses.looked('old', 0, true);
    pauses.looked('another', 1300, true);
    expect(pauses.isOver('job', 500 + 19)).toBe(false);
    expect(pauses.isOver('job', 500 + 20)).toBe(true);
  });

  it('forgets the one that was looked at longest ago, though another came before it', () => {
    const pauses = new LookPauses();
    pauses.looked('job', 0, true);
    for (let look = 0; look < 3; look += 1) pauses.looked('old', 10, true);
    pauses.looked('job', 1250, true);
    pauses.looked('old', 1260, true);
    expect(pauses.isOver('old', 1265)).toBe(true);
  });

  it('looks once at a block', () => {
    const pauses = new LookPauses();
    pauses.looked('job', 100, true);
    expect(pauses.isOver('job', 100)).toBe(false);
  });

  it('looks again where the chain went back below the last look', () => {
    const pauses = new LookPauses();
    pauses.looked('job', 100, true);
    expect(pauses.isOver('job', 99)).toBe(true);
  });
});
