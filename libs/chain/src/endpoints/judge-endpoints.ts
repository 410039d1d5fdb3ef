import type { Hash } from 'viem';

/** Blocks below the head at which hashes are compared: deep enough that honest nodes have long agreed. */
const COMMON_DEPTH = 3;

/** Blocks that an endpoint may be behind the best. */
const MOST_BLOCKS_BEHIND = 5;

/** Block times after which a head counts as stale while another endpoint has a newer one. */
const STALE_AFTER_BLOCKS = 30;

/** Why an endpoint of the right chain that answers is not used. */
export type Refusal = 'forked' | 'lagging' | 'stale';

/** What an endpoint said in one round of checks. */
export interface EndpointFact {
  readonly head: { readonly number: number; readonly timestampMs: number };
  /** Hash of its block at the height that all were asked for; undefined where it has none there. */
  readonly commonHash: Hash | undefined;
  /** Whether it was refused as forked before. */
  readonly wasForked: boolean;
}

/** What facts are judged by. */
export interface JudgementContext {
  /** Wall time, ms since 1970. */
  readonly nowMs: number;
  readonly blockTimeMs: number;
  /** The highest head that was ever seen of an endpoint in use. */
  readonly bestKnown: number;
}

/** The height at which blocks are compared: below the second highest head, which at least two should have. */
export function commonHeight(heads: readonly number[]): number | undefined {
  const second = heads.toSorted((one, other) => other - one)[1];
  return second === undefined ? undefined : Math.max(second - COMMON_DEPTH, 0);
}

/**
 * Judges the endpoints that answered a round of checks. Why it is so: docs/adr/0016.
 * @param facts in the order of the configuration
 * @returns a refusal for each, in the same order; undefined where nothing speaks against it
 */
export function judgeEndpoints(
  facts: readonly EndpointFact[],
  context: JudgementContext,
): readonly (Refusal | undefined)[] {
  const truth = agreedHash(facts);
  const forked = facts.map(({ commonHash, wasForked }) =>
    truth === undefined || commonHash === undefined ? wasForked : commonHash !== truth,
  );
  const trusted = facts.filter((_, index) => !forked[index]);
  const best = Math.max(context.bestKnown, ...trusted.map(({ head }) => head.number));
  const anyFresh = trusted.some((fact) => !isStale(fact, context));
  return facts.map((fact, index) => {
    if (forked[index]) return 'forked';
    if (isLagging(fact, best, context)) return 'lagging';
    return anyFresh && isStale(fact, context) ? 'stale' : undefined;
  });
}

/**
 * The hash that most say; where no more than half agree, that of the first in the order of the configuration, which is
 * the operator's order of trust. Undefined where fewer than two can be compared.
 */
function agreedHash(facts: readonly EndpointFact[]): Hash | undefined {
  const votes = facts.flatMap(({ commonHash }) => commonHash ?? []);
  if (votes.length < 2) return undefined;
  const count = (hash: Hash) => votes.filter((vote) => vote === hash).length;
  return votes.find((hash) => count(hash) * 2 > votes.length) ?? votes[0];
}

/** Behind in number and late by the clock: who only claims to be far ahead makes nobody late. */
function isLagging({ head }: EndpointFact, best: number, { nowMs, blockTimeMs }: JudgementContext): boolean {
  return best - head.number > MOST_BLOCKS_BEHIND && nowMs - head.timestampMs > MOST_BLOCKS_BEHIND * blockTimeMs;
}

/** Too old, or from the future: of neither can it be told what time it is. */
function isStale({ head }: EndpointFact, { nowMs, blockTimeMs }: JudgementContext): boolean {
  return Math.abs(nowMs - head.timestampMs) > STALE_AFTER_BLOCKS * blockTimeMs;
}
