import { describe, expect, it } from 'vitest';
import { SeenHeads } from './seen-heads.ts';

const NEWEST = { method: 'eth_blockNumber', params: [] } as const;
const LATEST = { method: 'eth_getBlockByNumber', params: ['latest', false] } as const;
const block = (number: number) =>
  ({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, true] }) as const;
const RECEIPT = { method: 'eth_getTransactionReceipt', params: ['0x01'] } as const;

function seen(head: number): SeenHeads {
  const heads = new SeenHeads();
  heads.saw(0, NEWEST, `0x${head.toString(16)}`, 0);
  return heads;
}

describe('SeenHeads', () => {
  it('distrusts a head below a recent one', () => {
    expect(seen(100).age(NEWEST, '0x63', 1000)).toBe('behind');
    expect(seen(100).age(LATEST, { number: '0x63' }, 1000)).toBe('behind');
    expect(seen(100).age(NEWEST, '0x64', 1000)).toBe('current');
  });

  it('accepts a persistent lower head as a rollback', () => {
    expect(seen(100).age(NEWEST, '0x32', 10_001)).toBe('current');
  });

  it('accepts a missing block after a newer head only', () => {
    expect(seen(100).age(block(100), null, 1000)).toBe('absent');
    expect(seen(100).age(block(101), null, 1000)).toBe('current');
  });

  it('distrusts a missing receipt initially', () => {
    expect(seen(100).age(RECEIPT, null, 1000)).toBe('absent');
    expect(seen(100).age(RECEIPT, { status: '0x1' }, 1000)).toBe('current');
  });

  it('knows which endpoint should have a block', () => {
    expect(seen(100).hasReached(0, block(90))).toBe(true);
    expect(seen(100).hasReached(1, block(90))).toBe(false);
  });

  describe('of one endpoint with two nodes', () => {
    const header = (number: number, branch = 'a', parent = branch) => ({
      number: `0x${number.toString(16)}`,
      hash: `0x${branch}${number}`,
      parentHash: `0x${parent}${number - 1}`,
    });
    const later = 3_600_000;

    function at(head: number): SeenHeads {
      const heads = new SeenHeads();
      for (let number = head - 5; number <= head; number += 1) heads.saw(0, LATEST, header(number), 0);
      return heads;
    }

    it('never goes back behind a seen block', () => {
      const heads = at(100);
      expect(heads.age(LATEST, header(98), later)).toBe('behind');
      expect(heads.newestAnswer(LATEST, header(98))).toEqual(header(100));
      heads.saw(0, LATEST, header(98), later);
      expect(heads.age(LATEST, header(98), later)).toBe('behind');
    });

    it('follows a reorganisation by hash or parent', () => {
      const replaced = at(100);
      replaced.saw(0, LATEST, header(99, 'b', 'a'), 1000);
      expect(replaced.newestAnswer(LATEST, header(99, 'b', 'a'))).toEqual(header(99, 'b', 'a'));
      expect(replaced.age(LATEST, header(99, 'b', 'a'), 1001)).toBe('current');
      const branched = new SeenHeads();
      branched.saw(0, LATEST, header(100), 0);
      branched.saw(0, LATEST, header(98), 0);
      branched.saw(0, LATEST, header(99, 'b', 'b'), 1000);
      expect(branched.age(LATEST, header(99, 'b', 'b'), 1001)).toBe('current');
    });
  });
});
