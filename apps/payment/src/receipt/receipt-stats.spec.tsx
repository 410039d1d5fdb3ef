import { parseHype } from '@maker/rules';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { receiptOf } from './receipt.fixture.ts';
import { ReceiptStats } from './receipt-stats.tsx';

it('estimates from the running budget', () => {
  const paidTwice = receiptOf({ depositWei: parseHype('1').toString() });
  expect(renderToStaticMarkup(<ReceiptStats receipt={paidTwice} />)).toContain('of 500~833 estimated');
});
