import { expect, it } from 'vitest';
import { parseAddress } from './address.ts';
import { checksumAddress } from './address-checksum.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ZERO = `0x${'0'.repeat(40)}`;

it.each([ADDRESS, ADDRESS.toLowerCase(), `0x${ADDRESS.slice(2).toUpperCase()}`, ` ${ADDRESS} `, ZERO])(
  'accepts %j in lower case',
  (typed) => {
    expect(parseAddress(typed)).toEqual({ ok: true, address: typed.trim().toLowerCase() });
  },
);

it.each([
  [ADDRESS.replace('aAeb', 'AAeb'), 'capital letter'],
  [ADDRESS.replace('6053', '6054'), 'capital letter'],
  ['', '0x followed by 40'],
  [`${ADDRESS}0`, '0x followed by 40'],
  [`0X${ADDRESS.slice(2)}`, '0x followed by 40'],
])('refuses %j', (typed, problem) => {
  expect(parseAddress(typed)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
});

it('gives any address the capitals of its checksum', () => {
  for (const checksummed of [ADDRESS, '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', ZERO]) {
    for (const written of [checksummed, checksummed.toLowerCase(), `0x${checksummed.slice(2).toUpperCase()}`]) {
      expect(checksumAddress(written)).toBe(checksummed);
    }
  }
});
