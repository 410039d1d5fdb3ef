import { describe, expect, it } from 'vitest';
import { nextOfSearch } from './search-progress.ts';

const asked = { firstAskedAtMs: 1000, trying: false };

describe('the HyperCore query before a job expires', () => {
  it('runs immediately and every ten seconds after failures', () => {
    expect(nextOfSearch(asked, 1000)).toBe('try');
    expect(nextOfSearch({ ...asked, trying: true }, 2000)).toBe('wait');
    expect(nextOfSearch({ ...asked, lastTriedAtMs: 1000 }, 10_999)).toBe('wait');
    expect(nextOfSearch({ ...asked, lastTriedAtMs: 1000 }, 11_000)).toBe('try');
  });

  it('is given up after a minute', () => {
    expect(nextOfSearch({ ...asked, lastTriedAtMs: 60_000 }, 61_000)).toBe('give_up');
    expect(nextOfSearch({ ...asked, trying: true }, 61_000)).toBe('give_up');
    expect(nextOfSearch(asked, 60_999)).toBe('try');
  });

  it('is done once it ran', () => {
    expect(nextOfSearch({ ...asked, foundWei: 0n }, 90_000)).toBe('done');
  });
});
