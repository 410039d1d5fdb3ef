import { describe, expect, it } from 'vitest';
import { surplusOf } from './fair-share.ts';

describe('surplus of a replica (design § 10)', () => {
  it('is zero alone, and the excess with another replica', () => {
    expect(surplusOf(100, 100, 1)).toBe(0);
    expect(surplusOf(100, 100, 2)).toBe(50);
    expect(surplusOf(100, 100, 4)).toBe(75);
  });

  it('is zero within a tenth above its share', () => {
    expect(surplusOf(2, 2, 2)).toBe(0);
    expect(surplusOf(55, 100, 2)).toBe(0);
    expect(surplusOf(56, 100, 2)).toBe(6);
  });

  it('leaves balanced replicas unchanged', () => {
    for (let replicas = 1; replicas <= 8; replicas += 1) {
      for (let active = 0; active <= 200; active += 1) {
        expect(surplusOf(Math.ceil(active / replicas), active, replicas)).toBe(0);
      }
    }
  });

  it('is zero before any replica is known', () => {
    expect(surplusOf(3, 3, 0)).toBe(0);
  });
});
