import type { JobStatusResponse, Receipt } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { mergeStatus } from './job-status.reader.ts';

const TOKEN = `0x${'a1'.repeat(20)}`;
const found = (tokenAddress: string, amount: string) => ({ tokenAddress, amount, symbol: 'T', decimals: 18 });
const OTHER = found(`0x${'55'.repeat(20)}`, '7');

/** Amounts of found tokens in the merged status of an ended job. */
const amountsOf = (heldTokens: string | undefined, amount: string) => {
  const status = { tokenAddress: TOKEN, foundTokens: [found(TOKEN.toUpperCase(), amount), OTHER] };
  return mergeStatus(status as JobStatusResponse, { heldTokens } as Receipt).foundTokens?.map((one) => one.amount);
};

describe('found tokens with a receipt', () => {
  it('are tokens beyond those that the job bought and holds', () => {
    expect(amountsOf('74', '74')).toEqual(['7']);
    expect(amountsOf('74', '79')).toEqual(['5', '7']);
    expect(amountsOf('0', '5')).toEqual(['5', '7']);
    expect(amountsOf(undefined, '5')).toEqual(['5', '7']);
  });

  it('leave out the own token while the receipt is unavailable', () => {
    const status = { tokenAddress: TOKEN, foundTokens: [found(TOKEN, '74')] } as JobStatusResponse;
    expect(mergeStatus(status, 'unavailable')).toEqual({ tokenAddress: TOKEN, receiptUnavailable: true });
    expect(mergeStatus(status, null).foundTokens).toHaveLength(1);
  });
});
