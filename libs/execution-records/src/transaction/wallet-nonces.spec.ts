import { expect, it } from 'vitest';
import { missingNonces } from './wallet-nonces.ts';

it.each([
  ['nothing in flight', [], 4, 0],
  ['the next ones in flight', [5, 6, 7], 4, 0],
  ['the first ones in flight', [0, 1], undefined, 0],
  ['a hole before them', [6, 7], 4, 1],
  ['a hole between them', [5, 8], 4, 2],
  ['the first one missing', [1], undefined, 1],
  ['a mined nonce not yet marked as mined', [3, 5], 4, 0],
])('finds unheld nonces: %s', (_what, unconfirmed, highestUsed, missing) => {
  expect(missingNonces({ unconfirmed, highestUsed })).toBe(missing);
});
