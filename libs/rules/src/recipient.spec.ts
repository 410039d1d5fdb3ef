import { describe, expect, it } from 'vitest';
import { parseRecipient } from './recipient.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('parseRecipient', () => {
  it.each([
    WALLET,
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    WALLET.toLowerCase(),
    `0x${WALLET.slice(2).toUpperCase()}`,
    ` ${WALLET} `,
  ])('accepts %s in lower case', (typed) => {
    expect(parseRecipient(typed)).toEqual({ ok: true, address: typed.trim().toLowerCase() });
  });

  it('rejects one wrong character of a mixed-case address', () => {
    for (const wrong of [
      WALLET.replace('aAeb', 'AAeb'),
      WALLET.replace('6053', '6054'),
      WALLET.replace('BeAed', 'BeAeD'),
    ]) {
      expect(parseRecipient(wrong)).toMatchObject({ ok: false, problem: expect.stringContaining('capital letter') });
    }
  });

  it.each([
    '0x0000000000000000000000000000000000000000',
    '0x0000000000000000000000000000000000000001',
    '0x0000000000000000000000000000000000000800',
    '0x000000000000000000000000000000000000dEaD',
    '0xdEAD000000000000000042069420694206942069',
    '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
    '0x0000000000000000000000000000000000000011',
    '0x3333333333333333333333333333333333333333',
    '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
    '0xffffffffffffffffffffffffffffffffffffffff',
    '0x2222222222222222222222222222222222222222',
    '0x2000000000000000000000000000000000000007',
  ])('rejects %s, which has no known key', (typed) => {
    expect(parseRecipient(typed)).toEqual({
      ok: false,
      problem: 'This address has no owner: anything sent to it is lost',
    });
  });

  it('refuses the contract of wrapped HYPE', () => {
    expect(parseRecipient(`0x${'5'.repeat(40)}`)).toEqual({
      ok: false,
      problem: 'This is the contract of wrapped HYPE: anything sent to it is lost',
    });
  });

  it('rejects its caller’s dead ends in any case', () => {
    const deadEnds = [{ address: WALLET.toLowerCase(), what: "the token's own contract" }];
    expect(parseRecipient(WALLET, deadEnds)).toEqual({
      ok: false,
      problem: "This is the token's own contract: anything sent to it is lost",
    });
  });

  it.each(['', '0x12', `0x${'g'.repeat(40)}`, 'b'.repeat(42), `0X${'b'.repeat(40)}`, `${WALLET}0`])(
    'refuses %s and describes a valid address',
    (typed) => {
      expect(parseRecipient(typed)).toMatchObject({ problem: expect.stringMatching(/0x followed by 40/) });
    },
  );
});
