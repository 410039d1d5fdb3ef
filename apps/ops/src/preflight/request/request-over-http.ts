import { setTimeout as delay } from 'node:timers/promises';
import { httpEndpoint, linksOf, MalformedAnswerError, TooManyRequestsError } from '@maker/chain';
import type { Answer, Ask, Reply } from './answer.ts';

const TIMEOUT_MS = 10_000;

/** Longest total wait while throttled, ms: a limit that others used up renews within a minute. */
const MOST_RESTS_MS = 90_000;
const FIRST_REST_MS = 1000;

/** Pause before the one retry after no answer, ms: preflight reports no temporary fault. */
const SILENCE_PAUSE_MS = 500;

/** Sends requests to real endpoints: waits if throttled, and retries once without an answer. */
export function requestOverHttp(urls: readonly string[]): Ask {
  const endpoints = urls.map((url) => httpEndpoint(url, TIMEOUT_MS));
  return async (endpoint, method, params) => {
    const request = endpoints[endpoint];
    if (!request) throw new TypeError(`there is no endpoint ${endpoint}`);
    let silences = 0;
    for (let restMs = FIRST_REST_MS, restedMs = 0; ; ) {
      const { answer, retryAfterMs, isMalformed } = await once(() => request({ method, params }));
      if (!('failure' in answer) || isMalformed) return answer;
      if (answer.limited) {
        const waitMs = retryAfterMs ?? restMs;
        if (restedMs + waitMs > MOST_RESTS_MS) return answer;
        await delay(waitMs);
        restedMs += waitMs;
        restMs *= 2;
      } else {
        if (silences > 0) return answer;
        silences += 1;
        await delay(SILENCE_PAUSE_MS);
      }
    }
  };
}

interface Attempt {
  readonly answer: Answer;
  readonly retryAfterMs?: number;
  readonly isMalformed?: boolean;
}

async function once(request: () => Promise<unknown>): Promise<Attempt> {
  const atMs = Date.now();
  const startedAt = performance.now();
  const timed = (reply: Reply): Answer => ({ ...reply, atMs, ms: Math.round(performance.now() - startedAt) });
  try {
    return { answer: timed({ result: await request() }) };
  } catch (error) {
    const links = linksOf(error);
    const limit = links.find((link) => link instanceof TooManyRequestsError);
    if (limit) {
      const { retryAfterMs } = limit;
      const answer = timed({ failure: 'HTTP 429: too many requests', limited: true });
      return retryAfterMs === undefined ? { answer } : { answer, retryAfterMs };
    }
    const node = links.findLast((link) => typeof link.code === 'number');
    if (node)
      return { answer: timed({ error: { code: Number(node.code), message: String(node.details ?? node.message) } }) };
    const http = links.findLast(({ status }) => typeof status === 'number');
    const innermost = links.at(-1);
    if (innermost instanceof MalformedAnswerError)
      return { answer: timed({ failure: `answered with a wrong ${innermost.wrong}` }), isMalformed: true };
    return { answer: timed({ failure: http ? `HTTP ${http.status}` : (innermost?.message ?? String(error)) }) };
  }
}
