/** Loads a server with requests, from its own process: `fork(this)` takes a {@link Load} and answers a {@link LoadResult}. */
import { Agent, get } from 'node:http';
import autocannon from 'autocannon';

/** The requests, and the number of connections. */
export interface Load {
  readonly url: string;
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with POST; without a body the method is GET. Only with many connections. */
  readonly body?: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Result. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly requests: number;
  /** Answers other than 2xx, and requests without an answer. */
  readonly failed: number;
  /** Median of sequential requests, µs. Only with one connection: a closed loop of many measures the queue. */
  readonly p50?: number;
  readonly p99?: number;
}

process.on('message', async (load: Load) => {
  process.send?.(await (load.connections === 1 ? oneAfterTheOther(load) : manyAtOnce(load)));
});
process.on('disconnect', () => process.exit(0));

async function manyAtOnce({ url, paths, headers, body, connections, seconds }: Load): Promise<LoadResult> {
  const requests = paths.map(
    (path): autocannon.Request => (body === undefined ? { method: 'GET', path } : { method: 'POST', path, body }),
  );
  let started = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
    requests,
    // Each connection starts at another path: otherwise all would wait for the same answer.
    setupClient: (client) => {
      const first = Math.floor((started * requests.length) / connections);
      started += 1;
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
    },
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  return { requestsPerSecond: result['2xx'] / result.duration, requests: result['2xx'], failed };
}

/** Uses Node's own client, since autocannon measures in whole milliseconds only. */
async function oneAfterTheOther({ url, paths, headers, seconds }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const micros: number[] = [];
  let failed = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  for (let index = 0; performance.now() < end; index += 1) {
    const askedAt = performance.now();
    const status = await statusOf(`${url}${paths[index % paths.length]}`, headers, agent);
    micros.push((performance.now() - askedAt) * 1000);
    if (status !== 200) failed += 1;
  }
  agent.destroy();
  micros.sort((one, other) => one - other);
  const quantile = (share: number) => micros[Math.floor((micros.length - 1) * share)] ?? Number.NaN;
  const requestsPerSecond = micros.length / ((performance.now() - began) / 1000);
  return { requestsPerSecond, requests: micros.length - failed, failed, p50: quantile(0.5), p99: quantile(0.99) };
}

function statusOf(url: string, headers: Load['headers'], agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}
