import { describe, expect, it } from 'vitest';
import { surplusOf } from './fair-share.ts';

describe('what a replica hands over (design § 10)', () => {
  it('is nothing where it is alone, and what goes beyond its share where another has come', () => {
    expect(surplusOf(100, 100, 1)).toBe(0);
    expect(surplusOf(100, 100, 2)).toBe(50);
    expect(surplusOf(100, 100, 4)).toBe(75);
  });

  it('is nothing for a wallet or a tenth more than its share: jobs that come and go move no others', () => {
    expect(surplusOf(2, 2, 2)).toBe(0);
    expect(surplusOf(55, 100, 2)).toBe(0);
    expect(surplusOf(56, 100, 2)).toBe(6);
  });

  it('leaves replicas that have shared as they are, however many there are', () => {
    for (let replicas = 1; replicas <= 8; replicas += 1) {
      for (let active = 0; active <= 200; active += 1) {
        expect(surplusOf(Math.ceil(active / replicas), active, replicas)).toBe(0);
      }
    }
  });

  it('is nothing before anybody is known to be there', () => {
    expect(surplusOf(3, 3, 0)).toBe(0);
  });
});
