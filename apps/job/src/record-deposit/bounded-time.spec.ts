import { describe, expect, it } from 'vitest';
import { boundedTime } from './bounded-time.ts';

const MINUTE_MS = 60_000;
const job = { createdAtMs: 0, paymentDeadlineMs: 15 * MINUTE_MS };

describe('the block time of money from a contract', () => {
  it('is at most a minute off before the deadline', () => {
    const now = 10 * MINUTE_MS;
    expect(boundedTime(now - 1, now, job)).toBe(now - 1);
    expect(boundedTime(0, now, job)).toBe(now - MINUTE_MS);
    expect(boundedTime(now * 1000, now, job)).toBe(now);
  });

  it('is within the life of the job after the deadline', () => {
    const now = 60 * MINUTE_MS;
    expect(boundedTime(MINUTE_MS, now, job)).toBe(MINUTE_MS);
    expect(boundedTime(-1, now, job)).toBe(0);
    expect(boundedTime(now + 1, now, job)).toBe(now);
  });
});
