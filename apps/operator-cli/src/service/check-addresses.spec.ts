import { expect, it } from 'vitest';
import { checkAddresses } from './check-addresses.ts';

const RIGHT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const WRONG = RIGHT.replace('aAeb', 'AAeb');

it('accepts right addresses', () => {
  expect(checkAddresses([`treasury=${RIGHT}`, `canary.tokenAddress=${RIGHT.toLowerCase()}`])).toContain('2 addresses');
});

it('names each setting with a wrong checksum', () => {
  expect(() => checkAddresses([`treasury=${WRONG}`, `a=${RIGHT}`, `b=${WRONG}`])).toThrow(
    new RegExp(`^treasury ${WRONG}: This address has a wrong character.*; b ${WRONG}: `),
  );
});

it.each([`0x${'0'.repeat(40)}`, `0x${'0'.repeat(37)}800`])('refuses %s as treasury', (lost) => {
  expect(() => checkAddresses([`treasury=${lost}`])).toThrow('no owner');
});

it('prints its usage without addresses', () => {
  expect(() => checkAddresses([])).toThrow('usage');
});
