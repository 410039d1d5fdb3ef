import { expect, it } from 'vitest';
import { isSystemAddress } from './system-address.ts';

it.each([
  ['the one of HYPE', `0x${'22'.repeat(20)}`, true],
  ['the one of the first token', `0x20${'00'.repeat(19)}`, true],
  ['the one of token 200, in upper case', `0x20${'00'.repeat(18)}C8`, true],
  ['an address with only the same start', `0x20${'00'.repeat(10)}01${'00'.repeat(8)}`, false],
  ['a text that only ends with one', `0x20${'20'.repeat(2)}0x20${'00'.repeat(19)}`, false],
  ['a text that continues after one', `0x20${'00'.repeat(20)}`, false],
  ['an ordinary address', `0x${'2a'.repeat(20)}`, false],
])('addresses of the chain itself: %s (hyperevm §§ 1.1, 1.2)', (_, address, isSystem) => {
  expect(isSystemAddress(address)).toBe(isSystem);
});
