import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { OrdersTable } from './orders-table.tsx';
import { orderNumber, receiptOf } from './receipt.fixture.ts';

it('gives each order its price and its exchange, and none to one that bought nothing (design § 2.6)', () => {
  const failed = orderNumber(2, { status: 'failed', tokensBought: '0' });
  const table = renderToStaticMarkup(
    <OrdersTable orders={[orderNumber(1), failed]} token={receiptOf().token} explorerUrl="" />,
  );
  expect(table).toContain('<td>0.00038 HYPE</td><td>uniswap-v2</td>');
  expect(table).toContain('<td>–</td><td>uniswap-v2</td>');
});
