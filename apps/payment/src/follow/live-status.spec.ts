import { describe, expect, it } from 'vitest';
import { activeJob } from '../receipt/receipt.fixture.ts';
import { newest, reopenDelay } from './live-status.ts';

describe('newest', () => {
  const polled = activeJob({ status: 'pending_payment' });
  const live = { status: activeJob(), atMs: 2000 };

  it('keeps the newest status of either source', () => {
    expect(newest(polled, 1000, live)).toBe(live.status);
    expect(newest(polled, 3000, live)).toBe(polled);
  });

  it('works without either source', () => {
    expect(newest(polled, 1000, undefined)).toBe(polled);
    expect(newest(undefined, 0, live)).toBe(live.status);
    expect(newest(undefined, 0, undefined)).toBeUndefined();
  });
});

describe('reopenDelay', () => {
  it('backs off up to half a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 20].map(reopenDelay)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });
});
