import { expect, it } from 'vitest';
import { readTranslators } from './configuration.ts';

it('reads each prefix of a translator', () => {
  expect(readTranslators(['fd00:64::/96', '64:ff9b:1::/48']).map(([, length]) => length)).toEqual([96, 48]);
});

it('names a prefix that is none', () => {
  expect(() => readTranslators(['fd00:64::/96', 'fd00:64::/95'])).toThrow(/--nat64-prefix: fd00:64::\/95 is no IPv6/);
});
