import { describe, expect, it } from 'vitest';
import { seededRandom } from '../scanner/simulated-chain.fixture.ts';
import { RequestWindow } from './request-window.ts';

const HUNDRED_A_MINUTE = { requests: 100, perMs: 60_000 };

/** Largest number of times within any span of a length. */
function mostWithin(times: readonly number[], spanMs: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  for (const [index, time] of sorted.entries()) {
    while (time - (sorted[first] ?? 0) >= spanMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

describe('RequestWindow', () => {
  it.each([1, 2, 3, 4, 5])('fits 100 requests in any endpoint minute (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const window = new RequestWindow(HUNDRED_A_MINUTE);
    const arrivals: number[] = [];
    const underWay: { slot: ReturnType<RequestWindow['take']>; endsAtMs: number }[] = [];
    let nowMs = 0;
    while (nowMs < 600_000) {
      for (const request of underWay.filter(({ endsAtMs }) => endsAtMs <= nowMs)) {
        window.answered(request.slot, request.endsAtMs);
        underWay.splice(underWay.indexOf(request), 1);
      }
      // Alternates between using every free place and idling.
      const hungry = Math.floor(nowMs / 40_000) % 3 !== 2;
      if (hungry && window.waitMs(nowMs, 'read') === 0) {
        const travelMs = random(4000);
        arrivals.push(nowMs + random(travelMs + 1));
        underWay.push({ slot: window.take(nowMs), endsAtMs: nowMs + travelMs });
      } else nowMs += 1 + random(20);
    }
    expect(mostWithin(arrivals, 60_000)).toBeLessThanOrEqual(100);
    expect(arrivals.length).toBeGreaterThan(500);
  });

  it('spreads requests evenly after half the limit', () => {
    const window = new RequestWindow(HUNDRED_A_MINUTE, { evenly: true });
    const sent: number[] = [];
    for (let nowMs = 0; nowMs < 300_000; nowMs += 10) {
      if (window.waitMs(nowMs, 'read') > 0) continue;
      window.answered(window.take(nowMs), nowMs);
      sent.push(nowMs);
    }
    const lastMinute = sent.filter((time) => time >= 240_000);
    expect(lastMinute.length).toBeGreaterThanOrEqual(98);
    const pauses = lastMinute.slice(1).map((time, index) => time - (lastMinute[index] ?? 0));
    expect(Math.max(...pauses)).toBeLessThan(2000);
  });

  it('keeps places for broadcasts that reads cannot take', () => {
    const window = new RequestWindow({ requests: 10, perMs: 1000 }, { reserved: 1 });
    let nowMs = 0;
    for (let taken = 0; taken < 9; taken += 1) {
      nowMs += window.waitMs(nowMs, 'read');
      window.take(nowMs);
    }
    expect(window.waitMs(nowMs, 'read')).toBe(Number.POSITIVE_INFINITY);
    expect(window.waitMs(nowMs, 'broadcast')).toBe(0);
  });

  it('rests as long as the endpoint demands', () => {
    const window = new RequestWindow(undefined);
    window.rest(5000);
    expect(window.waitMs(1000, 'broadcast')).toBe(4000);
    expect(window.rests(4999)).toBe(true);
    expect(window.waitMs(5000, 'read')).toBe(0);
  });
});
