import type { Hash } from 'viem';
import { describe, expect, it } from 'vitest';
import { commonHeight, type EndpointFact, judgeEndpoints } from './judge-endpoints.ts';

const NOW_MS = 1_000_000_000;
const TRUE_HASH: Hash = '0xaa';
const OTHER_HASH: Hash = '0xbb';

/** An endpoint whose newest block was mined some seconds ago. */
function endpoint(
  number: number,
  { age = 0, hash = TRUE_HASH, wasForked = false }: { age?: number; hash?: Hash | null; wasForked?: boolean } = {},
): EndpointFact {
  return { head: { number, timestampMs: NOW_MS - age * 1000 }, commonHash: hash ?? undefined, wasForked };
}

function judge(facts: readonly EndpointFact[], bestKnown = -1) {
  return judgeEndpoints(facts, { nowMs: NOW_MS, blockTimeMs: 1000, bestKnown });
}

describe('judgeEndpoints', () => {
  it('accepts endpoints that agree and keep up', () => {
    expect(judge([endpoint(100), endpoint(98, { age: 2 }), endpoint(101)])).toEqual([undefined, undefined, undefined]);
  });

  it('rejects a late one in any position', () => {
    expect(judge([endpoint(80, { age: 20 }), endpoint(100)])).toEqual(['lagging', undefined]);
  });

  it('rejects one behind the known head, even alone', () => {
    expect(judge([endpoint(80, { age: 20 })], 100)).toEqual(['lagging']);
  });

  it('keeps an endpoint behind a falsely claimed head', () => {
    expect(judge([endpoint(100), endpoint(1_000_000)])).toEqual([undefined, undefined]);
  });

  it('rejects an old head only while others advance', () => {
    expect(judge([endpoint(100, { age: 40 }), endpoint(103)])).toEqual(['stale', undefined]);
    expect(judge([endpoint(100, { age: 40 }), endpoint(103, { age: 37 })])).toEqual([undefined, undefined]);
  });

  it('rejects a head from the future', () => {
    expect(judge([endpoint(100, { age: -40 }), endpoint(100)])).toEqual(['stale', undefined]);
    expect(judge([endpoint(100, { age: -40 }), endpoint(100, { age: -40 })])).toEqual([undefined, undefined]);
  });

  it('rejects the different one of three in any position', () => {
    const liar = endpoint(100, { hash: OTHER_HASH });
    expect(judge([liar, endpoint(100), endpoint(100)])).toEqual(['forked', undefined, undefined]);
    expect(judge([endpoint(100), endpoint(100), liar])).toEqual([undefined, undefined, 'forked']);
  });

  it('trusts the first of two that disagree', () => {
    expect(judge([endpoint(100), endpoint(120, { hash: OTHER_HASH })])).toEqual([undefined, 'forked']);
  });

  it('measures no endpoint by a rejected one', () => {
    const far = endpoint(900, { hash: OTHER_HASH });
    expect(judge([endpoint(100, { age: 20 }), far])).toEqual([undefined, 'forked']);
  });

  it('trusts a rejected endpoint only after it agrees', () => {
    const before = { wasForked: true };
    expect(judge([endpoint(100), endpoint(100, before)])).toEqual([undefined, undefined]);
    expect(judge([endpoint(100, before)])).toEqual(['forked']);
    expect(judge([endpoint(100), endpoint(100, { hash: null, ...before })])).toEqual([undefined, 'forked']);
  });
});

describe('commonHeight', () => {
  it('is a height that two endpoints share', () => {
    expect(commonHeight([100, 1_000_000, 101])).toBe(98);
    expect(commonHeight([100])).toBeUndefined();
    expect(commonHeight([1, 2])).toBe(0);
  });
});
