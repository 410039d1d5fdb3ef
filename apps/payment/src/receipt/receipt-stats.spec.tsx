import { parseHype } from '@maker/rules';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { receiptOf } from './receipt.fixture.ts';
import { ReceiptStats } from './receipt-stats.tsx';

it('estimates from the running budget', () => {
  const paidTwice = receiptOf({ depositWei: parseHype('1').toString() });
  expect(renderToStaticMarkup(<ReceiptStats receipt={paidTwice} />)).toContain('of 500~830 estimated');
});

describe('the fourth figure', () => {
  const fourth = (changes: Parameters<typeof receiptOf>[0]) => {
    const text = renderToStaticMarkup(<ReceiptStats receipt={receiptOf(changes)} />);
    const labels = [...text.matchAll(/<dt[^>]*>([^<]*)/g)].map(([, label]) => label);
    expect(labels).toHaveLength(4);
    expect(text).not.toContain('–<');
    return labels[3];
  };
  const at = '2026-01-01T12:00:00.000Z';

  it('is the next order only while one is due', () => {
    expect(fourth({ nextOrderAt: at })).toBe('Next order at');
    expect(fourth({ paused: { reason: 'price_band', since: at } })).toBe('Next order');
    expect(fourth({})).toBe('Next order');
    expect(fourth({ ending: { kind: 'completed', message: '' } })).toBe('Returned');
  });
});
