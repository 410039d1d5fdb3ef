// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { OrdersByMinute } from './orders-by-minute.tsx';
import { orderNumber, receiptOf } from './receipt.fixture.ts';

afterEach(cleanup);

const { token } = receiptOf();
const many = Array.from({ length: 600 }, (_, index) => orderNumber(index));
const cards = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
const rows = () => screen.getAllByRole('rowheader').length;
const open = (index: number) => fireEvent.click(screen.getAllByRole('button', { name: /:\d\d/ })[index] as HTMLElement);

it('shows each minute’s figure, its orders at a press', () => {
  render(<OrdersByMinute orders={many} token={token} explorerUrl="" />);
  expect(rows()).toBe(5);
  expect(screen.getAllByRole('row')[1]?.textContent).toMatch(/600\.0228 HYPE60 CAT$/);
  expect(cards()).toEqual([]);
  open(0);
  expect(cards()).toHaveLength(60);
  open(0);
  expect(cards()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Show 5 more of 10 minutes' }));
  expect(rows()).toBe(10);
});

it.each([
  [{}, /^1 \d+:00:01.* final0\.00038 HYPE for 1 CAT on uniswap-v2, 0\.00038 HYPE each\. Network fee 0\.00002 HYPE$/],
  [{ status: 'failed', tokensBought: '0' }, / failed0\.00038 HYPE on uniswap-v2\. Network fee 0\.00002 HYPE$/],
  [{ status: 'signed', tokensBought: '0', gasWei: '0', minedAt: undefined }, / pending0\.00038 HYPE on uniswap-v2$/],
] as const)('shows no zeros of an order: %j', (changes, text) => {
  render(<OrdersByMinute orders={[orderNumber(1, changes)]} token={token} explorerUrl="" />);
  open(0);
  expect(cards()).toEqual([expect.stringMatching(text)]);
  const isPending = 'minedAt' in changes;
  expect(screen.queryAllByText('pending', { selector: 'td' })).toHaveLength(isPending ? 2 : 0);
});

it('prints all orders, then shows as many as before', async () => {
  render(<OrdersByMinute orders={many} token={token} explorerUrl="" />);
  await act(async () => void dispatchEvent(new Event('beforeprint')));
  expect(cards()).toHaveLength(600);
  await act(async () => void dispatchEvent(new Event('afterprint')));
  expect([rows(), cards().length]).toEqual([5, 0]);
});
