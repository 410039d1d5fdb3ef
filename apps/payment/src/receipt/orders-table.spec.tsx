// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { OrdersTable } from './orders-table.tsx';
import { orderNumber, receiptOf } from './receipt.fixture.ts';

it('gives each filled order price and exchange', () => {
  const failed = orderNumber(2, { status: 'failed', tokensBought: '0' });
  const table = renderToStaticMarkup(
    <OrdersTable orders={[orderNumber(1), failed]} token={receiptOf().token} explorerUrl="" />,
  );
  expect(table).toContain('<td>0.00038 HYPE</td><td>uniswap-v2</td>');
  expect(table).toContain('<td>–</td><td>uniswap-v2</td>');
});

it.each(['signed', 'broadcast'] as const)('shows no zeros of an order that is %s', (status) => {
  const pending = orderNumber(1, { status, tokensBought: '0', gasWei: '0', minedAt: undefined });
  const row = renderToStaticMarkup(<OrdersTable orders={[pending]} token={receiptOf().token} explorerUrl="" />);
  expect(row).toMatch(/<td>0\.00038 HYPE<\/td><td>–<\/td><td>–<\/td><td>uniswap-v2<\/td><td>–<\/td><td>pending<\/td>/);
});

it('prints all orders, then shows as many as before', async () => {
  const orders = Array.from({ length: 250 }, (_, index) => orderNumber(index + 1));
  render(<OrdersTable orders={orders} token={receiptOf().token} explorerUrl="" />);
  const rows = () => screen.getAllByRole('rowheader').length;
  expect(rows()).toBe(10);
  await act(async () => void dispatchEvent(new Event('beforeprint')));
  expect(rows()).toBe(250);
  await act(async () => void dispatchEvent(new Event('afterprint')));
  expect(rows()).toBe(10);
});
