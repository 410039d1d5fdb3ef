import { expect, it } from 'vitest';
import { falselyDelivered, isDelivered } from './is-delivered.ts';

it.each([
  ['nothing was bought', 0n, 0n, 0n, true],
  ['a stranger sent tokens to a job that bought none', 0n, 0n, 7n, false],
  ['nothing was sent yet', 5000n, 0n, 5000n, false],
  ['the wallet shows none of the bought tokens', 5000n, 0n, 0n, false],
  ['all was sent', 5000n, 5000n, 0n, true],
  ['the token took a fee, or its supply shrank', 5000n, 4000n, 0n, true],
  ['the token keeps a unit', 5000n, 4999n, 1n, true],
  ['a stranger sends dust after it', 5000n, 5000n, 5n, true],
  ['the token emitted an event and moved nothing', 5000n, 5000n, 5000n, false],
])('%s (design § 4)', (_, boughtWei, deliveredWei, left, expected) => {
  expect(isDelivered({ boughtWei, deliveredWei }, left)).toBe(expected);
});

it.each([
  ['nothing counts as delivered', 5000n, 0n, 5000n, undefined, 0n],
  ['all is still in the wallet', 5000n, 5000n, 5000n, undefined, 5000n],
  ['a part is still in the wallet', 5000n, 5000n, 2000n, undefined, 2000n],
  ['the token’s event shows twice the balance', 5000n, 10_000n, 5000n, undefined, 10_000n],
  ['the rest is not sent yet', 5000n, 3000n, 2000n, undefined, 0n],
  ['an endpoint lagged, and the rest is not sent yet', 5000n, 3000n, 2000n, [3000n, 0n], 0n],
  ['half never came, and the other half is still in the wallet', 5000n, 2500n, 2500n, [2500n, 0n], 2500n],
  ['the same, after the booking is reversed', 5000n, 0n, 2500n, [2500n, 0n], 0n],
  [
    'the last of two transfers moved nothing, and more counts as bought than came',
    9000n,
    4000n,
    1000n,
    [1000n, 3000n],
    1000n,
  ],
  ['the last of two transfers was reverted', 5000n, 3000n, 2000n, [2000n, 3000n], 0n],
  ['a stranger sends dust after it', 5000n, 5000n, 5n, [5000n, 0n], 0n],
] as const)('counts false deliveries when %s', (_, boughtWei, deliveredWei, left, last, expected) => {
  const lastTransfer = last && { sentTokens: last[0], deliveredTokens: last[1] };
  expect(falselyDelivered({ boughtWei, deliveredWei }, left, lastTransfer)).toBe(expected);
});
