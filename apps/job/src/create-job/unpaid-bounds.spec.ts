import { describe, expect, it } from 'vitest';
import { UnpaidBounds } from './unpaid-bounds.ts';

describe('UnpaidBounds', () => {
  it('adds all jobs created since the last count', () => {
    const bounds = new UnpaidBounds();
    expect(bounds.atMost('anna', 5)).toBe(Number.POSITIVE_INFINITY);
    bounds.remember('anna', 2, 5);
    expect(bounds.atMost('anna', 5)).toBe(2);
    expect(bounds.atMost('anna', 9)).toBe(6);
    expect(bounds.atMost('ben', 9)).toBe(Number.POSITIVE_INFINITY);
    bounds.remember('anna', 1, 9);
    expect(bounds.atMost('anna', 10)).toBe(2);
  });

  it('counts anew after a restored database', () => {
    const bounds = new UnpaidBounds();
    bounds.remember('anna', 2, 500);
    expect(bounds.atMost('anna', 499)).toBe(Number.POSITIVE_INFINITY);
  });

  it('forgets the least recent client', () => {
    const bounds = new UnpaidBounds();
    for (let client = 0; client <= 10_000; client += 1) bounds.remember(`client ${client}`, 1, client);
    expect(bounds.atMost('client 0', 10_000)).toBe(Number.POSITIVE_INFINITY);
    expect(bounds.atMost('client 1', 10_000)).toBe(10_000);
  });

  it('treats a recounted client as recent', () => {
    const bounds = new UnpaidBounds();
    for (let client = 0; client < 10_000; client += 1) bounds.remember(`client ${client}`, 1, client);
    bounds.remember('client 0', 1, 10_000);
    bounds.remember('client 10000', 1, 10_000);
    expect(bounds.atMost('client 0', 10_000)).toBe(1);
    expect(bounds.atMost('client 1', 10_000)).toBe(Number.POSITIVE_INFINITY);
  });
});
