import type { FastifyInstance } from 'fastify';

/** Headers of one answer, which others do not have. */
const OF_ONE_ANSWER = ['cache-control', 'connection', 'content-length', 'date', 'keep-alive', 'x-request-id'];

/**
 * The headers that every answer has, by the origin of the page that asks, as flat lists: taken from answers of the framework
 * itself, so that an answer that does not come by it has exactly these. Origins that are not let in are not among them.
 * @param server ready to answer
 */
export async function commonHeaders(
  server: FastifyInstance,
  origins: readonly string[],
): Promise<ReadonlyMap<string | undefined, readonly string[]>> {
  const byOrigin = new Map<string | undefined, readonly string[]>();
  for (const origin of [undefined, ...origins]) {
    const headers = origin === undefined ? {} : { origin };
    const answer = await server.inject({ method: 'GET', url: '/openapi.json', headers });
    const common = Object.entries(answer.headers).filter(([name]) => !OF_ONE_ANSWER.includes(name));
    byOrigin.set(
      origin,
      common.flatMap(([name, value]) => [name, String(value)]),
    );
  }
  return byOrigin;
}
