import { describe, expect, it } from 'vitest';
import { forgetDelivered } from './forget-delivered.ts';

const OWN = `0x${'aa'.repeat(20)}`;
const WHYPE = `0x${'Bb'.repeat(20)}`;
const found = (tokenAddress: string) => ({ tokenAddress, amount: '7', symbol: 'T', decimals: 18 });
const job = { tokenAddress: OWN, foundTokens: { tokens: [found(WHYPE), found(OWN)], searchedAtMs: 5 } };
const settled = {
  ...{ kind: 'delivery' as const, succeeded: true, transactionHash: `0x${'e'.repeat(64)}` as const },
  ...{ to: WHYPE.toLowerCase(), amount: '0', gasWei: '1', blockNumber: 9 },
};

describe('forgetDelivered (docs/adr/0093)', () => {
  it('drops the token whose delivery is final', () => {
    expect(forgetDelivered(job, settled, 9)).toEqual({ tokens: [found(OWN)], searchedAtMs: 9 });
    const own = { ...settled, to: OWN, amount: '3' };
    expect(forgetDelivered(job, own, 2)).toEqual({ tokens: [found(WHYPE)], searchedAtMs: 5 });
  });

  it.each([
    ['a failed delivery', { succeeded: false }],
    ['a return', { kind: 'return' as const }],
    ['another token', { to: `0x${'cc'.repeat(20)}` }],
    ['an empty delivery of the own token', { to: OWN }],
  ])('changes nothing after %s', (_, change) => {
    expect(forgetDelivered(job, { ...settled, ...change }, 9)).toBeUndefined();
  });

  it('changes nothing without found tokens', () => {
    expect(forgetDelivered({ tokenAddress: OWN }, settled, 9)).toBeUndefined();
  });
});
