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
  it('finds nothing against endpoints that agree and are about as far', () => {
    expect(judge([endpoint(100), endpoint(98, { age: 2 }), endpoint(101)])).toEqual([undefined, undefined, undefined]);
  });

  it('refuses one that is behind the best and late by the clock, the first as well as any other', () => {
    expect(judge([endpoint(80, { age: 20 }), endpoint(100)])).toEqual(['lagging', undefined]);
  });

  it('refuses one that is behind what was seen before, also when it is the only one that answers', () => {
    expect(judge([endpoint(80, { age: 20 })], 100)).toEqual(['lagging']);
  });

  it('does not take an endpoint for late because another claims to be far ahead', () => {
    expect(judge([endpoint(100), endpoint(1_000_000)])).toEqual([undefined, undefined]);
  });

  it('refuses an old head while another has a new one, and none where the chain itself stands still', () => {
    expect(judge([endpoint(100, { age: 40 }), endpoint(103)])).toEqual(['stale', undefined]);
    expect(judge([endpoint(100, { age: 40 }), endpoint(103, { age: 37 })])).toEqual([undefined, undefined]);
  });

  it('refuses a head from the future while another has the present', () => {
    expect(judge([endpoint(100, { age: -40 }), endpoint(100)])).toEqual(['stale', undefined]);
    expect(judge([endpoint(100, { age: -40 }), endpoint(100, { age: -40 })])).toEqual([undefined, undefined]);
  });

  it('refuses the one of three that shows another block, wherever it stands in the list', () => {
    const liar = endpoint(100, { hash: OTHER_HASH });
    expect(judge([liar, endpoint(100), endpoint(100)])).toEqual(['forked', undefined, undefined]);
    expect(judge([endpoint(100), endpoint(100), liar])).toEqual([undefined, undefined, 'forked']);
  });

  it('believes the first in the list where two disagree (the operator’s order of trust)', () => {
    expect(judge([endpoint(100), endpoint(120, { hash: OTHER_HASH })])).toEqual([undefined, 'forked']);
  });

  it('measures nobody by the head of a refused one', () => {
    const far = endpoint(900, { hash: OTHER_HASH });
    expect(judge([endpoint(100, { age: 20 }), far])).toEqual([undefined, 'forked']);
  });

  it('trusts a refused one again when it agrees, and not because nobody can be compared with it', () => {
    const before = { wasForked: true };
    expect(judge([endpoint(100), endpoint(100, before)])).toEqual([undefined, undefined]);
    expect(judge([endpoint(100, before)])).toEqual(['forked']);
    expect(judge([endpoint(100), endpoint(100, { hash: null, ...before })])).toEqual([undefined, 'forked']);
  });
});

describe('commonHeight', () => {
  it('is a height that two endpoints should have, however far ahead one claims to be', () => {
    expect(commonHeight([100, 1_000_000, 101])).toBe(98);
    expect(commonHeight([100])).toBeUndefined();
    expect(commonHeight([1, 2])).toBe(0);
  });
});
