import { describe, expect, it } from 'vitest';
import { SeenHeads } from './seen-heads.ts';

const NEWEST = { method: 'eth_blockNumber', params: [] };
const LATEST = { method: 'eth_getBlockByNumber', params: ['latest', false] };
const block = (number: number) => ({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, true] });
const RECEIPT = { method: 'eth_getTransactionReceipt', params: ['0x01'] };

function seen(head: number): SeenHeads {
  const heads = new SeenHeads();
  heads.saw(0, NEWEST, `0x${head.toString(16)}`, 0);
  return heads;
}

describe('SeenHeads', () => {
  it('does not believe a head below one that was seen of late', () => {
    expect(seen(100).age(NEWEST, '0x63', 1000)).toBe('behind');
    expect(seen(100).age(LATEST, { number: '0x63' }, 1000)).toBe('behind');
    expect(seen(100).age(NEWEST, '0x64', 1000)).toBe('current');
  });

  it('believes it when it stays: the chain was rolled back', () => {
    expect(seen(100).age(NEWEST, '0x32', 10_001)).toBe('current');
  });

  it('takes a missing block for absent only where another has shown a newer one', () => {
    expect(seen(100).age(block(100), null, 1000)).toBe('absent');
    expect(seen(100).age(block(101), null, 1000)).toBe('current');
  });

  it('does not believe at once that a transaction has no receipt', () => {
    expect(seen(100).age(RECEIPT, null, 1000)).toBe('absent');
    expect(seen(100).age(RECEIPT, { status: '0x1' }, 1000)).toBe('current');
  });

  it('knows which endpoint should have a block', () => {
    expect(seen(100).hasReached(0, block(90))).toBe(true);
    expect(seen(100).hasReached(1, block(90))).toBe(false);
  });
});
