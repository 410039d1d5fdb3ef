import type { Ask } from './answer.ts';

/** Number of requests to one endpoint. */
export interface RequestCount {
  readonly byMethod: ReadonlyMap<string, number>;
  /** Requests that stayed throttled after all retries. */
  readonly limited: number;
  /** Time from the first request to the last answer, ms. */
  readonly tookMs: number;
}

/** Counts requests by endpoint and method. */
export function counted(ask: Ask): { ask: Ask; countOf(endpoint: number): RequestCount } {
  const counts = new Map<number, { byMethod: Map<string, number>; limited: number; fromMs: number; toMs: number }>();
  return {
    async ask(endpoint, method, params) {
      const answer = await ask(endpoint, method, params);
      const count = counts.get(endpoint) ?? { byMethod: new Map(), limited: 0, fromMs: answer.atMs, toMs: answer.atMs };
      counts.set(endpoint, count);
      count.byMethod.set(method, (count.byMethod.get(method) ?? 0) + 1);
      count.toMs = Math.max(count.toMs, answer.atMs + answer.ms);
      if ('failure' in answer && answer.limited) count.limited += 1;
      return answer;
    },
    countOf(endpoint) {
      const { byMethod = new Map(), limited = 0, fromMs = 0, toMs = 0 } = counts.get(endpoint) ?? {};
      return { byMethod, limited, tookMs: toMs - fromMs };
    },
  };
}
