import { describe, expect, it } from 'vitest';
import { judgeReturnAddress, refusedAddress } from './return-address.ts';

const TOKEN = `0x${'A1'.repeat(20)}`;
const TREASURY = `0x${'c1'.repeat(20)}`;
const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const deadEnds = { tokenAddress: TOKEN, treasury: TREASURY };
const problem = (typed: string) => judgeReturnAddress({ typed, isContract: false }, undefined, deadEnds).problem;

describe('judgeReturnAddress', () => {
  it('is optional (design § 4)', () => {
    expect(problem('  ')).toBeUndefined();
  });

  it('accepts surrounding spaces and one case', () => {
    expect(problem(` 0x${'bc'.repeat(20)} `)).toBeUndefined();
    expect(problem(`0x${'BC'.repeat(20)}`)).toBeUndefined();
  });

  it('rejects a wrong checksum without asking the service', () => {
    expect(problem(CHECKSUMMED)).toBeUndefined();
    expect(problem(CHECKSUMMED.replace('BeAed', 'BeAeD'))).toBe(
      'This address has a wrong character or capital letter: copy the address again',
    );
  });

  it.each(['0x12', `0x${'g'.repeat(40)}`, 'b'.repeat(42)])('rejects %s and describes a valid address', (typed) => {
    expect(problem(typed)).toMatch(/0x followed by 40/);
  });

  it('rejects addresses that cannot return money', () => {
    expect(problem(`0x${'0'.repeat(40)}`)).toMatch(/lost/);
    expect(problem('0x000000000000000000000000000000000000dEaD')).toMatch(/lost/);
    expect(problem(TOKEN.toLowerCase())).toMatch(/token's own contract/);
    expect(problem(TREASURY.toUpperCase().replace('0X', '0x'))).toMatch(/service's own wallet/);
  });

  it('keeps a refusal until another address is typed', () => {
    const [one, other] = [`0x${'b1'.repeat(20)}`, `0x${'b2'.repeat(20)}`];
    const refusal = { typed: one, message: 'it is lost', isContract: false };
    const judged = (typed: string, isContract = false) => judgeReturnAddress({ typed, isContract }, refusal, deadEnds);
    expect(judged(one)).toEqual({ problem: undefined, refused: refusal, isUsable: false });
    expect(judged(one, true).isUsable).toBe(false);
    expect(judged(other)).toEqual({ problem: undefined, refused: undefined, isUsable: true });
    expect(judged('0x12').isUsable).toBe(false);
  });

  it('lifts the refusal of a contract by consent', () => {
    const typed = `0x${'b1'.repeat(20)}`;
    const refusal = { typed, message: 'a contract', isContract: true };
    const usable = (isContract: boolean) => judgeReturnAddress({ typed, isContract }, refusal, deadEnds).isUsable;
    expect([usable(false), usable(true)]).toEqual([false, true]);
  });
});

describe('refusedAddress', () => {
  const error = (code: string, message = 'it is lost') => ({ error: 'E', message, code });

  it('returns the service’s message', () => {
    expect(refusedAddress('0x1', error('RETURN_ADDRESS_REFUSED'))).toEqual({
      typed: '0x1',
      message: 'it is lost',
      isContract: false,
    });
    expect(refusedAddress('0x1', error('RETURN_ADDRESS_IS_CONTRACT'))?.isContract).toBe(true);
  });

  it('omits the name of the field', () => {
    expect(refusedAddress('0x1', error('INVALID_REQUEST', 'returnAddress: it is lost'))?.message).toBe('it is lost');
  });

  it('ignores other failures', () => {
    expect(refusedAddress('0x1', error('NO_CAPACITY'))).toBeUndefined();
    expect(refusedAddress(' ', error('INVALID_REQUEST'))).toBeUndefined();
  });
});
