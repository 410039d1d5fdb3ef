import type { Hash } from 'viem';
import { quorumOf } from '../quorum.ts';

/** Depth below the head at which hashes are compared, blocks: honest nodes agree there. */
const COMMON_DEPTH = 3;

/** Blocks that an endpoint may be behind the best. */
const MOST_BLOCKS_BEHIND = 5;

/** Block times after which a head counts as stale while another endpoint has a newer one. */
const STALE_AFTER_BLOCKS = 30;

/** The reason for not using an endpoint that answers and serves the right chain. */
export type Refusal = 'forked' | 'lagging' | 'stale';

/** An endpoint's answers in one round of checks. */
export interface EndpointFact {
  readonly head: { readonly number: number; readonly timestampMs: number };
  /** Hash of its block at the common height; undefined where it has none there. */
  readonly commonHash: Hash | undefined;
  /** Whether it was refused as forked before. */
  readonly wasForked: boolean;
}

/** Context of a judgement. */
export interface JudgementContext {
  /** Wall time, ms since 1970. */
  readonly nowMs: number;
  readonly blockTimeMs: number;
  /** The highest head that an endpoint in use has ever shown. */
  readonly bestKnown: number;
}

/** The height at which blocks are compared: below the second highest head, so at least two endpoints should have it. */
export function commonHeight(heads: readonly number[]): number | undefined {
  const second = heads.toSorted((one, other) => other - one)[1];
  return second === undefined ? undefined : Math.max(second - COMMON_DEPTH, 0);
}

/**
 * Judges the endpoints that answered a round of checks. Reasons: docs/adr/0016.
 * @param facts in the order of the configuration
 * @returns a refusal for each, in the same order; undefined where the endpoint is usable
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
 * The hash that more than half of the endpoints have. Without such a majority, the hash of the first one in the configuration, which
 * is the operator's order of trust. Undefined where fewer than two are comparable.
 */
function agreedHash(facts: readonly EndpointFact[]): Hash | undefined {
  const votes = facts.flatMap(({ commonHash }) => commonHash ?? []);
  const verdict = quorumOf(votes, false);
  if (verdict.kind === 'agreed') return verdict.answers[0];
  return verdict.kind === 'split' ? votes[0] : undefined;
}

/** Behind in number and late by the clock: an endpoint that claims a far higher head does not make the others lag. */
function isLagging({ head }: EndpointFact, best: number, { nowMs, blockTimeMs }: JudgementContext): boolean {
  return best - head.number > MOST_BLOCKS_BEHIND && nowMs - head.timestampMs > MOST_BLOCKS_BEHIND * blockTimeMs;
}

/** The head is too old or in the future, so its time is not usable. */
function isStale({ head }: EndpointFact, { nowMs, blockTimeMs }: JudgementContext): boolean {
  return Math.abs(nowMs - head.timestampMs) > STALE_AFTER_BLOCKS * blockTimeMs;
}
