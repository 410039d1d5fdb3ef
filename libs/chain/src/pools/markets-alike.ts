import type { PoolState } from '@maker/rules';
import type { DeepMarket, PoolSamples } from './market.ts';

/** Part by which the quotes of two hosts for one amount may differ, basis points: the newest block of one may be older. */
const QUOTE_TOLERANCE_BPS = 100n;

/** The same for the largest amount of a pool, which is the pool's depth and another in each block. */
const DEPTH_TOLERANCE_BPS = 1000n;

type Samples = PoolState['samples'];

/** Whether two hosts tell the same pools, and alike what each gives for rising amounts. Source: docs/adr/0097. */
export function areAlike(one: DeepMarket, other: DeepMarket): boolean {
  const theirs = new Map(other.quotes.map(({ pool }, index) => [pool.address, other.states[index]]));
  return (
    one.quotes.length === other.quotes.length &&
    one.quotes.every(({ pool }, index) => {
      const [state, theirState] = [one.states[index], theirs.get(pool.address)];
      return state !== undefined && theirState !== undefined && arePoolsAlike(state.samples, theirState.samples);
    })
  );
}

/** Whether two hosts tell the same pools and alike what each gives. @param one only pools that count */
export function areSamplesAlike(one: readonly PoolSamples[], other: readonly PoolSamples[]): boolean {
  const theirs = new Map(other.map(({ pool, samples }) => [pool.address, samples]));
  return (
    one.length === other.length &&
    one.every(({ pool, samples }) => arePoolsAlike(samples, theirs.get(pool.address) ?? []))
  );
}

/** Each amount below the depth needs a quote of both: one that is left out bends the curve as a false one does. */
function arePoolsAlike(ours: Samples, theirs: Samples): boolean {
  const [ourEnd, theirEnd] = [ours.at(-1), theirs.at(-1)];
  if (!ourEnd || !theirEnd) return ourEnd === theirEnd;
  const isSameEnd = ourEnd.inWei === theirEnd.inWei;
  if (!isNear(ourEnd.inWei, theirEnd.inWei, DEPTH_TOLERANCE_BPS)) return false;
  const endTolerance = isSameEnd ? QUOTE_TOLERANCE_BPS : DEPTH_TOLERANCE_BPS;
  if (!isNear(ourEnd.tokens * theirEnd.inWei, theirEnd.tokens * ourEnd.inWei, endTolerance)) return false;
  const isInner = ({ inWei }: Samples[number]) => inWei < ourEnd.inWei && inWei < theirEnd.inWei;
  const [ourInner, theirInner] = [ours.filter(isInner), theirs.filter(isInner)];
  const told = new Map(theirInner.map(({ inWei, tokens }) => [inWei, tokens]));
  return (
    ourInner.length === theirInner.length &&
    ourInner.every(({ inWei, tokens }) => isNear(tokens, told.get(inWei) ?? 0n, QUOTE_TOLERANCE_BPS))
  );
}

function isNear(one: bigint, other: bigint, toleranceBps: bigint): boolean {
  const [less, more] = one < other ? [one, other] : [other, one];
  return (more - less) * 10_000n <= more * toleranceBps;
}
