import { describe, expect, it } from 'vitest';
import { refusedAddress, returnAddressProblem } from './return-address.ts';

const TOKEN = `0x${'A1'.repeat(20)}`;
const TREASURY = `0x${'c1'.repeat(20)}`;
const problem = (typed: string) => returnAddressProblem(typed, { tokenAddress: TOKEN, treasury: TREASURY });

describe('returnAddressProblem', () => {
  it('is optional (design § 4)', () => {
    expect(problem('  ')).toBeUndefined();
  });

  it('takes an address with spaces around it, in any case', () => {
    expect(problem(` 0x${'bC'.repeat(20)} `)).toBeUndefined();
  });

  it.each(['0x12', `0x${'g'.repeat(40)}`, 'b'.repeat(42)])('refuses %s and says what an address is like', (typed) => {
    expect(problem(typed)).toMatch(/0x followed by 40/);
  });

  it('refuses addresses from which nothing comes back', () => {
    expect(problem(`0x${'0'.repeat(40)}`)).toMatch(/lost/);
    expect(problem('0x000000000000000000000000000000000000dEaD')).toMatch(/lost/);
    expect(problem(TOKEN.toLowerCase())).toMatch(/token's own contract/);
    expect(problem(TREASURY.toUpperCase().replace('0X', '0x'))).toMatch(/service's own wallet/);
  });
});

describe('refusedAddress', () => {
  const error = (code: string, message = 'it is lost') => ({ error: 'E', message, code });

  it('passes on the sentence of the service', () => {
    expect(refusedAddress('0x1', error('RETURN_ADDRESS_REFUSED'))).toEqual({
      typed: '0x1',
      message: 'it is lost',
      isContract: false,
    });
    expect(refusedAddress('0x1', error('RETURN_ADDRESS_IS_CONTRACT'))?.isContract).toBe(true);
  });

  it('leaves out the name of the field', () => {
    expect(refusedAddress('0x1', error('INVALID_REQUEST', 'returnAddress: it is lost'))?.message).toBe('it is lost');
  });

  it('says nothing of other failures', () => {
    expect(refusedAddress('0x1', error('NO_CAPACITY'))).toBeUndefined();
    expect(refusedAddress(' ', error('INVALID_REQUEST'))).toBeUndefined();
  });
});
