import { describe, expect, it } from 'vitest';
import { judgePayer, MOST_BLOCKS_UNANSWERED } from './judge-payer.ts';

const confirming = { sinceBlock: 100, tries: 1, nextAtBlock: 0 };
const twoHosts = { hostCount: 2, trustsSingle: false };

describe('the payer of a transfer', () => {
  it('is believed when a second host confirms it', () => {
    expect(judgePayer({ ...confirming, outcome: 'confirmed' }, 101, twoHosts)).toBe('credit');
  });

  it('is never believed if hosts disagree', () => {
    const outcome = 'contradicted';
    expect(judgePayer({ ...confirming, outcome }, 100_000, twoHosts)).toBe('wait');
    expect(judgePayer({ ...confirming, outcome }, 100_000, { ...twoHosts, trustsSingle: true })).toBe('wait');
  });

  it('is unknown after 300 blocks without second host', () => {
    const unanswered = { ...confirming, outcome: 'unanswered' } as const;
    expect(judgePayer(unanswered, 100 + MOST_BLOCKS_UNANSWERED - 1, twoHosts)).toBe('wait');
    expect(judgePayer(unanswered, 100 + MOST_BLOCKS_UNANSWERED, twoHosts)).toBe('credit_without_payer');
    expect(judgePayer(unanswered, 101, { ...twoHosts, trustsSingle: true })).toBe('credit');
  });

  it('waits until the hosts answered', () => {
    expect(judgePayer(undefined, 100_000, twoHosts)).toBe('wait');
    expect(judgePayer({ ...confirming, outcome: undefined }, 100_000, twoHosts)).toBe('wait');
  });

  it('is unknown with one untrusted endpoint', () => {
    expect(judgePayer(undefined, 1, { hostCount: 1, trustsSingle: false })).toBe('credit_without_payer');
    expect(judgePayer(undefined, 1, { hostCount: 1, trustsSingle: true })).toBe('credit');
  });
});
