import { describe, expect, it } from 'vitest';
import { judgePayer } from './judge-payer.ts';

const twoHosts = { hostCount: 2, trustsSingle: false };
const trusting = { ...twoHosts, trustsSingle: true };

describe('the payer of a transfer', () => {
  it('is believed when a second host confirms it', () => {
    expect(judgePayer('confirmed', twoHosts)).toBe('credit');
  });

  it('is never believed if hosts disagree', () => {
    expect(judgePayer('contradicted', twoHosts)).toBe('wait');
    expect(judgePayer('contradicted', trusting)).toBe('wait');
  });

  it('waits for a second host, however long', () => {
    expect(judgePayer('unanswered', twoHosts)).toBe('wait');
    expect(judgePayer(undefined, twoHosts)).toBe('wait');
    expect(judgePayer(undefined, trusting)).toBe('wait');
    expect(judgePayer('unanswered', trusting)).toBe('credit');
  });

  it('is unknown with one untrusted endpoint', () => {
    expect(judgePayer(undefined, { hostCount: 1, trustsSingle: false })).toBe('credit_without_payer');
    expect(judgePayer(undefined, { hostCount: 1, trustsSingle: true })).toBe('credit');
  });
});
