import { http } from 'viem';
import { EmptyAnswerError, type RpcCall, TooManyRequestsError } from './request-outcome.ts';

/** One JSON-RPC call over HTTP, as often as told: once. */
export type HttpRequest = (call: RpcCall) => Promise<unknown>;

/**
 * Calls of one URL. Errors carry the URL they were asked at, and a provider's URL often holds its key: viem is told the
 * origin only. The whole answer is read within the time limit: a body that never ends is no answer.
 * @param timeoutMs longest wait for an answer, ms
 */
export function httpEndpoint(url: string, timeoutMs: number): HttpRequest {
  const target = new URL(url);
  const { username, password, origin } = target;
  target.username = '';
  target.password = '';
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const transport = http(origin, {
    batch: false,
    timeout: timeoutMs,
    retryCount: 0,
    ...(username && { fetchOptions: { headers: { authorization: `Basic ${credentials}` } } }),
    fetchFn: async (_origin, init) => {
      const response = await fetch(target, init);
      const body = await response.arrayBuffer();
      if (response.status === 429) throw new TooManyRequestsError(retryAfterMs(response.headers.get('retry-after')));
      const { status, statusText, headers } = response;
      return new Response(body, { status, statusText, headers });
    },
  })({ retryCount: 0 });
  const request = transport.request as HttpRequest;
  return async (call) => {
    const answer = await request(call);
    if (answer === undefined) throw new EmptyAnswerError(call.method);
    return answer;
  };
}

/** What a `Retry-After` header asks for: seconds, or a date. @returns ms */
export function retryAfterMs(header: string | null, nowMs = Date.now()): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
