import type { JobStatusResponse, Receipt } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { mergeStatus } from './job-status.reader.ts';

const TOKEN = `0x${'a1'.repeat(20)}`;
const found = (tokenAddress: string, amount: string) => ({ tokenAddress, amount, symbol: 'T', decimals: 18 });
const OTHER = found(`0x${'55'.repeat(20)}`, '7');

/** Amounts of found tokens in the status of an ended job. */
const told = (heldTokens: string | undefined, amount: string) => {
  const status = { tokenAddress: TOKEN, foundTokens: [found(TOKEN.toUpperCase(), amount), OTHER] };
  return mergeStatus(status as JobStatusResponse, { heldTokens } as Receipt).foundTokens?.map((one) => one.amount);
};

describe('found tokens beside a receipt', () => {
  it('are what is more than the job bought and holds', () => {
    expect(told('74', '74')).toEqual(['7']);
    expect(told('74', '79')).toEqual(['5', '7']);
    expect(told('0', '5')).toEqual(['5', '7']);
    expect(told(undefined, '5')).toEqual(['5', '7']);
  });

  it('leave out the own token while the receipt is unavailable', () => {
    const status = { tokenAddress: TOKEN, foundTokens: [found(TOKEN, '74')] } as JobStatusResponse;
    expect(mergeStatus(status, 'unavailable')).toEqual({ tokenAddress: TOKEN, receiptUnavailable: true });
    expect(mergeStatus(status, null).foundTokens).toHaveLength(1);
  });
});
