import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BLOCK_SHARE_BPS,
  grantPace,
  isBookedOut,
  MOST_BOOKED_BPS,
  NO_PACE,
  type Pace,
  sumOfPaces,
  wholeCapacity,
} from './capacity.ts';

const SMALL_BLOCKS = { blockGas: 3_000_000n, blockTimeMs: 1000, shareBps: BLOCK_SHARE_BPS, requestsPerMinute: 600n };
const ORDER = { gas: 130_000n, requests: 4n };
const whole = wholeCapacity(SMALL_BLOCKS);

describe('the pace of a job (design § 4a)', () => {
  it('all jobs together have a tenth of the gas of small blocks, and what the RPC plan leaves them', () => {
    expect(whole).toEqual({ gasPerSecond: 300_000n, requestsPerHour: 36_000n });
  });

  it('a small job gets the pace of its window, and books what that takes', () => {
    const slotMs = 138_240;
    expect(grantPace(slotMs, ORDER, whole, NO_PACE)).toEqual({
      slotMs,
      pace: { gasPerSecond: 941n, requestsPerHour: 105n },
    });
  });

  it('a job that is too large for the window gets half of what is free, of gas or of requests', () => {
    const byGas = grantPace(1, ORDER, { ...whole, requestsPerHour: 10n ** 9n }, NO_PACE);
    expect(byGas?.pace.gasPerSecond).toBe(150_000n);
    expect(byGas?.slotMs).toBeCloseTo(866.67);
    const byRequests = grantPace(1, ORDER, { ...whole, requestsPerHour: 3600n }, NO_PACE);
    expect(byRequests?.pace.requestsPerHour).toBe(1800n);
    expect(byRequests?.slotMs).toBe(8000);
  });

  it('gets none where all is booked', () => {
    expect(grantPace(1000, ORDER, whole, whole)).toBeUndefined();
    expect(grantPace(1000, ORDER, whole, { ...NO_PACE, requestsPerHour: 35_999n })).toBeUndefined();
  });

  it('jobs that come one after the other never book more than there is, and a small one is not slowed by the largest', () => {
    const slots = fc.double({ min: 0.1, max: 10_000_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(slots, { maxLength: 80 }), (wanted) => {
        const booked: Pace[] = [];
        for (const slotMs of wanted) {
          const granted = grantPace(slotMs, ORDER, whole, sumOfPaces(booked));
          if (!granted) continue;
          expect(granted.slotMs).toBeGreaterThanOrEqual(slotMs);
          booked.push(granted.pace);
        }
        const sum = sumOfPaces(booked);
        expect(sum.gasPerSecond).toBeLessThanOrEqual(whole.gasPerSecond);
        expect(sum.requestsPerHour).toBeLessThanOrEqual(whole.requestsPerHour);
      }),
    );
    const largest = grantPace(0.05, ORDER, whole, NO_PACE);
    expect(grantPace(138_240, ORDER, whole, largest?.pace ?? NO_PACE)?.slotMs).toBe(138_240);
  });
});

it('takes no further job once the set share of either resource is booked (design § 4a)', () => {
  const all = { gasPerSecond: 1000n, requestsPerHour: 200n };
  expect(isBookedOut(all, { gasPerSecond: 950n, requestsPerHour: 190n }, MOST_BOOKED_BPS)).toBe(false);
  expect(isBookedOut(all, { gasPerSecond: 951n, requestsPerHour: 0n }, MOST_BOOKED_BPS)).toBe(true);
  expect(isBookedOut(all, { gasPerSecond: 0n, requestsPerHour: 191n }, MOST_BOOKED_BPS)).toBe(true);
});
