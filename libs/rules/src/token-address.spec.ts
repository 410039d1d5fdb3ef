import { describe, expect, it } from 'vitest';
import { shortenAddress, tokenAddressProblem } from './token-address.ts';

const ADDRESS = '0x5555555555555555555555555555555555555555';

describe('token address as typed (specification § 5)', () => {
  it.each(['', '   ', '0x123', '0x5555555555555555', ADDRESS.slice(0, 19), ' '.repeat(20)])(
    '%j is not yet an address',
    (input) => {
      expect(tokenAddressProblem(input)).toBe('Please enter a valid token address');
    },
  );

  it.each([
    `${ADDRESS}0`,
    ADDRESS.slice(0, 41),
    ADDRESS.replace('0x', '1x'),
    '5555555555555555555555',
    ADDRESS.slice(0, 20),
  ])('%j has the wrong form', (input) => {
    expect(tokenAddressProblem(input)).toBe('Invalid token address format. Must be 42 characters starting with 0x');
  });

  it('accepts 0x and 40 characters, trimmed', () => {
    expect(tokenAddressProblem(ADDRESS)).toBeUndefined();
    expect(tokenAddressProblem(`  ${ADDRESS}\n`)).toBeUndefined();
  });
});

it('shortens to 5 characters, dots and 2', () => {
  expect(shortenAddress('0xAbCdEf0123456789aBcDeF0123456789AbCdEf09')).toBe('0xAbC...09');
});
