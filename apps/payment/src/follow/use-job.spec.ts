import type { ReceiptOrder } from '@maker/contracts';
import { ApiClient } from '@maker/web-kit';
import { describe, expect, it } from 'vitest';
import { orderNumber } from '../receipt/receipt.fixture.ts';
import { mergeOrders, readOrders, resumeAfter } from './use-job.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => orderNumber(index + 1));

describe('resumeAfter', () => {
  it('starts at the first order that can still change', () => {
    const [first, second, third] = numbered(3);
    expect(resumeAfter([])).toBe(0);
    expect(resumeAfter(numbered(3))).toBe(3);
    expect(
      resumeAfter([first, orderNumber(2, { status: 'failed' }), orderNumber(3, { status: 'mined' })] as ReceiptOrder[]),
    ).toBe(2);
    expect(resumeAfter([first, third, second] as ReceiptOrder[])).toBe(1);
  });
});

describe('mergeOrders', () => {
  it('replaces older entries and keeps the order', () => {
    const merged = mergeOrders(
      [orderNumber(1), orderNumber(2, { status: 'broadcast' })],
      [orderNumber(2), orderNumber(3)],
    );
    expect(merged.map(({ number, status }) => [number, status])).toEqual([
      [1, 'final'],
      [2, 'final'],
      [3, 'final'],
    ]);
  });
});

describe('readOrders', () => {
  const serverWith = (all: readonly ReceiptOrder[]) => {
    const asked: number[] = [];
    const api = new ApiClient({
      baseUrl: 'http://api.test',
      apiKey: 'the-key',
      fetch: async (url) => {
        const query = new URL(String(url)).searchParams;
        const after = Number(query.get('after'));
        asked.push(after);
        return Response.json({ orders: all.slice(after, after + Number(query.get('limit'))) });
      },
    });
    return { asked, api };
  };

  it('reads pages until it has all orders', async () => {
    const { api, asked } = serverWith(numbered(1200));
    const orders = await readOrders(api, 'job', [], new AbortController().signal);
    expect(orders).toHaveLength(1200);
    expect(asked).toEqual([0, 500, 1000]);
  });

  it('requests only what may have changed', async () => {
    const { api, asked } = serverWith(numbered(20));
    const orders = await readOrders(api, 'job', numbered(15), new AbortController().signal);
    expect(orders).toHaveLength(20);
    expect(asked).toEqual([15]);
  });
});
