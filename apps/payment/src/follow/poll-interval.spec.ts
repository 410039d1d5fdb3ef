import { describe, expect, it } from 'vitest';
import { pollInterval } from './poll-interval.ts';

describe('pollInterval', () => {
  it('polls every 10 s while the job can change (specification § 4)', () => {
    expect(pollInterval(undefined)).toBe(10_000);
    expect(pollInterval('pending_payment')).toBe(10_000);
    expect(pollInterval('active')).toBe(10_000);
  });

  it.each(['completed', 'failed_liquidity', 'failed_technical', 'cancelled'] as const)('stops at %s', (status) => {
    expect(pollInterval(status)).toBe(false);
  });

  it('looks on, more rarely, for money that arrives late (design § 4)', () => {
    expect(pollInterval('payment_expired')).toBe(60_000);
  });
});
