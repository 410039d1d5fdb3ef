import { judgeEndpoints, mustSpareRequests, type Network, type Refusal, type RequestLimit } from '@maker/chain';
import type { Hash } from 'viem';
import { fail, type Line, ok, weak } from '../report.ts';
import type { RequestCount } from '../request/counted.ts';

/** The head of one endpoint, read at the same time as the others. */
export interface SeenHead {
  readonly endpoint: number;
  readonly number: number;
  readonly timestampMs: number;
  /** Time of the request, ms since 1970. */
  readonly atMs: number;
  /** Hash of its block at the common height; undefined if it has none. */
  readonly commonHash: Hash | undefined;
}

const WHY: Readonly<Record<Refusal, string>> = {
  forked: 'shows another chain',
  lagging: 'is behind',
  stale: 'has stopped',
};

/** Judges whether endpoints show the same chain, and their distance, by the rule of the services. */
export function judgeAgreement(heads: readonly SeenHead[], network: Network): readonly Line[] {
  const best = Math.max(...heads.map(({ number }) => number));
  const verdicts = judgeEndpoints(
    heads.map(({ number, timestampMs, commonHash }) => ({
      head: { number, timestampMs },
      commonHash,
      wasForked: false,
    })),
    { nowMs: Math.max(...heads.map(({ atMs }) => atMs)), blockTimeMs: network.blockTimeMs, bestKnown: best },
  );
  return heads.map(({ endpoint, number, commonHash }, index) => {
    const behind = best - number;
    const answer = `${behind === 0 ? 'at the head' : `${behind} ${behind === 1 ? 'block' : 'blocks'} behind`}`;
    const what = `endpoint ${endpoint + 1}`;
    const refusal = verdicts[index];
    if (refusal) return { ...fail(what, answer, `${WHY[refusal]}: it is left out`), setsAside: true };
    if (commonHash === undefined) return weak(what, answer, 'not comparable: it lacks the block that the others have');
    return ok(what, `${answer}, same blocks`);
  });
}

/** Warns if all endpoints are of one host: the product asks two hosts before money moves. */
export function judgeHosts(hostCount: number): readonly Line[] {
  if (hostCount > 1) return [];
  const consequence =
    'the chart refuses one host without paymentWatcher.trustSingleEndpoint; add an endpoint of another provider';
  return [weak('hosts', '1', consequence)];
}

/** Number of most frequent methods in the report. */
const METHODS_SHOWN = 3;

/** Judges the number of requests to an endpoint by the limit of its plan. */
export function judgeRequests(count: RequestCount, limit: RequestLimit | undefined, network: Network): Line {
  const byMethod = [...count.byMethod].sort(([, one], [, other]) => other - one);
  const sum = byMethod.reduce((all, [, times]) => all + times, 0);
  const most = byMethod.slice(0, METHODS_SHOWN).map(([method, times]) => `${method} ${times}`);
  const rest = byMethod.slice(METHODS_SHOWN).reduce((all, [, times]) => all + times, 0);
  const took = `${sum} in ${(count.tookMs / 1000).toFixed(1)} s`;
  const plan = limit ? `, plan ${limit.requests} a minute` : '';
  if (count.limited > 0)
    return weak('requests', took + plan, `throttled ${count.limited} times: other programs use the same limit`);
  if (limit && mustSpareRequests([limit], network)) {
    return weak(
      'requests',
      took + plan,
      'the watcher saves requests at the head; a plan of 120 or more a minute is better',
    );
  }
  return { ...ok('requests', took + plan), consequence: [...most, ...(rest > 0 ? [`others ${rest}`] : [])].join(', ') };
}
