import { expect, it } from 'vitest';
import { orderMinutes } from './order-minutes.ts';
import { orderNumber } from './receipt.fixture.ts';

it('sums the orders of each minute, the newest first', () => {
  const orders = Array.from({ length: 125 }, (_, index) => orderNumber(index));
  const minutes = orderMinutes(orders);
  expect(minutes.map(({ at, orders: some }) => [at.slice(11, 16), some.length, some[0]?.number])).toEqual([
    ['12:02', 5, 124],
    ['12:01', 60, 119],
    ['12:00', 60, 59],
  ]);
  expect(minutes[0]).toMatchObject({ spentWei: 5n * 380_000_000_000_000n, bought: 5n * 10n ** 18n });
});

it('counts no amount of a pending or failed order', () => {
  const pending = orderNumber(2, { status: 'signed', tokensBought: '0', minedAt: undefined });
  expect(orderMinutes([pending])[0]).not.toHaveProperty('spentWei');
  const failed = orderNumber(1, { status: 'failed', tokensBought: '0' });
  expect(orderMinutes([failed, pending])[0]).toMatchObject({ spentWei: 0n, bought: 0n });
});
