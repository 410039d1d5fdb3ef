import type { PoolState } from '@maker/rules';
import type { DeepMarket, PoolSamples } from './market.ts';

/** Largest difference between two hosts' quotes for one amount, basis points: one host's newest block may be older. */
const QUOTE_TOLERANCE_BPS = 100n;

/** The same for a pool's largest amount: it is the pool's depth, which changes in each block. */
const DEPTH_TOLERANCE_BPS = 1000n;

type Samples = PoolState['samples'];

/** Whether two hosts report the same pools and similar quotes of each for rising amounts. Source: docs/adr/0097. */
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

/** Whether two hosts report the same pools and similar quotes. @param one only deep pools */
export function areSamplesAlike(one: readonly PoolSamples[], other: readonly PoolSamples[]): boolean {
  const theirs = new Map(other.map(({ pool, samples }) => [pool.address, samples]));
  return (
    one.length === other.length &&
    one.every(({ pool, samples }) => arePoolsAlike(samples, theirs.get(pool.address) ?? []))
  );
}

/** Each amount below the depth needs both hosts' quotes: a missing quote distorts the curve as a false one does. */
function arePoolsAlike(ours: Samples, theirs: Samples): boolean {
  const [ourEnd, theirEnd] = [ours.at(-1), theirs.at(-1)];
  if (!ourEnd || !theirEnd) return ourEnd === theirEnd;
  const isSameEnd = ourEnd.inWei === theirEnd.inWei;
  if (!isNear(ourEnd.inWei, theirEnd.inWei, DEPTH_TOLERANCE_BPS)) return false;
  const endTolerance = isSameEnd ? QUOTE_TOLERANCE_BPS : DEPTH_TOLERANCE_BPS;
  if (!isNear(ourEnd.tokens * theirEnd.inWei, theirEnd.tokens * ourEnd.inWei, endTolerance)) return false;
  const isInner = ({ inWei }: Samples[number]) => inWei < ourEnd.inWei && inWei < theirEnd.inWei;
  const [ourInner, theirInner] = [ours.filter(isInner), theirs.filter(isInner)];
  const theirTokens = new Map(theirInner.map(({ inWei, tokens }) => [inWei, tokens]));
  return (
    ourInner.length === theirInner.length &&
    ourInner.every(({ inWei, tokens }) => isNear(tokens, theirTokens.get(inWei) ?? 0n, QUOTE_TOLERANCE_BPS))
  );
}

function isNear(one: bigint, other: bigint, toleranceBps: bigint): boolean {
  const [less, more] = one < other ? [one, other] : [other, one];
  return (more - less) * 10_000n <= more * toleranceBps;
}
