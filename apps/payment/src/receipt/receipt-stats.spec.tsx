import { parseHype } from '@maker/rules';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { receiptOf } from './receipt.fixture.ts';
import { ReceiptStats } from './receipt-stats.tsx';

it('estimates from the running budget', () => {
  const paidTwice = receiptOf({ depositWei: parseHype('1').toString() });
  expect(renderToStaticMarkup(<ReceiptStats receipt={paidTwice} />)).toContain('of 500~833 estimated');
});

describe('the fourth figure', () => {
  const fourth = (...changes: Parameters<typeof receiptOf>) => {
    const text = renderToStaticMarkup(<ReceiptStats receipt={receiptOf(...changes)} />);
    return [...text.matchAll(/<dt[^>]*>([^<]*)/g)].map(([, label]) => label)[3];
  };
  const since = '2026-01-01T12:00:00.000Z';

  it('is the next order only while one is due', () => {
    expect(fourth({ nextOrderAt: since })).toBe('Next order at');
    expect(fourth({ paused: { reason: 'price_band', since } })).toBe('Next order');
    expect(fourth()).toBe('Returned');
  });
});
