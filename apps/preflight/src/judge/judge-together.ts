import { judgeEndpoints, mustSpareRequests, type Network, type Refusal, type RequestLimit } from '@maker/chain';
import type { Hash } from 'viem';
import { fail, type Line, ok, weak } from '../report.ts';
import type { RequestCount } from '../request/counted.ts';

/** What one endpoint said of the chain at the same moment as the others. */
export interface SeenHead {
  readonly endpoint: number;
  readonly number: number;
  readonly timestampMs: number;
  /** When it was asked, ms since 1970. */
  readonly atMs: number;
  /** Of the block at the height that all were asked for; undefined where it has none there. */
  readonly commonHash: Hash | undefined;
}

const WHY: Readonly<Record<Refusal, string>> = {
  forked: 'shows another chain',
  lagging: 'is behind',
  stale: 'stands still',
};

/** Whether endpoints tell of the same chain, and how far they are apart: by the rule that the services go by. */
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
    if (commonHash === undefined)
      return weak(what, answer, 'cannot be compared: it lacks the block that the others have');
    return ok(what, `${answer}, same blocks`);
  });
}

/** What follows where all endpoints are of one host: two sources are asked before money moves. @param endpoints as they may be shown */
export function judgeHosts(endpoints: readonly string[]): readonly Line[] {
  const hosts = new Set(endpoints.map((shown) => new URL(shown).origin));
  if (hosts.size > 1) return [];
  const consequence =
    'the chart refuses one host without paymentWatcher.trustSingleEndpoint; add an endpoint of another provider';
  return [weak('hosts', '1', consequence)];
}

/** Methods that are named, those that were asked most. */
const METHODS_SHOWN = 3;

/** What was asked of an endpoint, beside what its plan allows. */
export function judgeRequests(count: RequestCount, limit: RequestLimit | undefined, network: Network): Line {
  const byMethod = [...count.byMethod].sort(([, one], [, other]) => other - one);
  const sum = byMethod.reduce((all, [, times]) => all + times, 0);
  const most = byMethod.slice(0, METHODS_SHOWN).map(([method, times]) => `${method} ${times}`);
  const rest = byMethod.slice(METHODS_SHOWN).reduce((all, [, times]) => all + times, 0);
  const took = `${sum} in ${(count.tookMs / 1000).toFixed(1)} s`;
  const plan = limit ? `, plan ${limit.requests} a minute` : '';
  if (count.limited > 0)
    return weak('requests', took + plan, `told to slow down ${count.limited} times: others use the same limit`);
  if (limit && mustSpareRequests([limit], network)) {
    return weak(
      'requests',
      took + plan,
      'the head is followed with as few as possible; a plan of 120 and more a minute is better',
    );
  }
  return { ...ok('requests', took + plan), consequence: [...most, ...(rest > 0 ? [`others ${rest}`] : [])].join(', ') };
}
