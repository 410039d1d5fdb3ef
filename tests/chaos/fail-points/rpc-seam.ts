import type { FailPoints } from './fail-point.ts';

/** Fail points around every JSON-RPC call. @param purposeOf a transaction that is broadcast */
export function watchRpc(points: FailPoints, purposeOf: (rawTransaction: string) => string): void {
  const ask = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const act = () => ask(input, init);
    const point = pointOf(init?.body, purposeOf);
    return point === undefined ? act() : points.around(point, act);
  };
}

function pointOf(body: unknown, purposeOf: (rawTransaction: string) => string): string | undefined {
  if (typeof body !== 'string' || !body.includes('"jsonrpc"')) return undefined;
  const parsed = JSON.parse(body) as { method: string; params?: unknown[] } | { method: string }[];
  if (Array.isArray(parsed)) return `rpc:${[...new Set(parsed.map(({ method }) => method))].sort()}`;
  const { method, params = [] } = parsed;
  return method === 'eth_sendRawTransaction' ? `rpc:${method}{${purposeOf(String(params[0]))}}` : `rpc:${method}`;
}
