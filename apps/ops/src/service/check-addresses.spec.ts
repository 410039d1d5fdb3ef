import { expect, it } from 'vitest';
import { runOps } from '../run-ops.fixture.ts';
import { checkAddresses } from './check-addresses.ts';

const RIGHT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const WRONG = RIGHT.replace('aAeb', 'AAeb');

it('accepts right addresses', () => {
  expect(checkAddresses([`treasury=${RIGHT}`, `canary.tokenAddress=${RIGHT.toLowerCase()}`]).text).toContain(
    '2 addresses',
  );
});

it('names each setting with a wrong checksum', () => {
  expect(() => checkAddresses([`treasury=${WRONG}`, `a=${RIGHT}`, `b=${WRONG}`])).toThrow(
    new RegExp(`^treasury ${WRONG}: This address has a wrong character.*; b ${WRONG}: `),
  );
});

it.each([`0x${'0'.repeat(40)}`, `0x${'0'.repeat(37)}800`])('refuses %s as treasury', (lost) => {
  expect(() => checkAddresses([`treasury=${lost}`])).toThrow('no owner');
});

it('refuses to check nothing, or no setting', async () => {
  await expect(runOps(['check-addresses'])).rejects.toThrow('missing required argument');
  expect(() => checkAddresses([RIGHT])).toThrow('is not <setting>=<address>');
});
