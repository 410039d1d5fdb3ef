import { describe, expect, it } from 'vitest';
import { returnAddressProblem } from './return-address.ts';

const TOKEN = `0x${'A1'.repeat(20)}`;

describe('returnAddressProblem', () => {
  it('is optional (design § 4)', () => {
    expect(returnAddressProblem('  ', TOKEN)).toBeUndefined();
  });

  it('takes an address with spaces around it, in any case', () => {
    expect(returnAddressProblem(` 0x${'bC'.repeat(20)} `, TOKEN)).toBeUndefined();
  });

  it.each(['0x12', `0x${'g'.repeat(40)}`, 'b'.repeat(42)])(
    'refuses %s and says what an address looks like',
    (typed) => {
      expect(returnAddressProblem(typed, TOKEN)).toMatch(/0x followed by 40/);
    },
  );

  it('refuses addresses from which nothing comes back', () => {
    expect(returnAddressProblem(`0x${'0'.repeat(40)}`, TOKEN)).toMatch(/lost/);
    expect(returnAddressProblem(TOKEN.toLowerCase(), TOKEN)).toMatch(/token's own contract/);
  });
});
