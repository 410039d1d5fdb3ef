import { startOwnStack } from '../support/own-stack.ts';
import { readingOf } from '../support/readings.ts';
import { Child } from './child.ts';
import { type Effort, type Figure, median } from './figure.ts';
import type { Load, LoadResult } from './load-generator.ts';
import { manyJobs } from './many-jobs.ts';

const CONNECTIONS = 64;
const PEER = 'bare `node:http` with the same JSON';

/** A kind of request, and its bound against the peer. */
interface Question {
  readonly name: string;
  readonly paths: readonly string[];
  readonly rate: number;
  readonly cpu: number;
}

const cpuOf = (ops: string) => readingOf(ops, 'process_cpu_seconds_total');

/** A measured server: its address, and its cost so far. */
interface Server {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  cpuSeconds(): Promise<number>;
}

/**
 * The requests that every open page polls, from one gateway with keys, limits, metrics and logs as in production, against a bare
 * Node server. Gateway, load and peer are separate processes. CPU is that of the gateway and the job service behind it, less their
 * use in the peer's turn without requests.
 */
export async function measurePolledAnswers({ rounds, seconds, jobs }: Effort): Promise<Figure[]> {
  // All requests have one client address here.
  const running = await startOwnStack(20, { 'api-gateway': { RATE_LIMIT_REQUESTS: '1000000000' } });
  const generator = new Child('load-generator.ts');
  let peer: Child | undefined;
  try {
    const { stack } = running;
    const headers = { 'x-api-key': stack.apiKey };
    const jobIds = await manyJobs(stack, jobs);
    const paths = jobIds.map((jobId) => `/jobs/${jobId}/payment`);
    const body = await (await fetch(`${stack.apiUrl}${paths[0]}`, { headers })).text();
    peer = new Child('bare-server.ts', [body]);
    const { port } = await peer.next<{ port: number }>();
    const bare = peer;
    const ours: Server = {
      url: stack.apiUrl,
      headers,
      cpuSeconds: async () => (await cpuOf(stack.ops['api-gateway'])) + (await cpuOf(stack.ops.job)),
    };
    const theirs: Server = {
      url: `http://127.0.0.1:${port}`,
      headers,
      cpuSeconds: async () => (await bare.ask<{ cpuSeconds: number }>({})).cpuSeconds,
    };
    const questions: Question[] = [
      { name: '`GET /jobs/{id}/payment` of one job', paths: paths.slice(0, 1), rate: 0.5, cpu: 2 },
      { name: '`GET /stats`', paths: ['/stats'], rate: 0.5, cpu: 2 },
      { name: `\`GET /jobs/{id}/payment\` of ${jobs} jobs`, paths, rate: 0.45, cpu: 2.5 },
    ];
    const figures: Figure[] = [];
    for (const question of questions) {
      figures.push(...(await compare(generator, question, ours, theirs, rounds, seconds)));
    }
    figures.push(await compareLatency(generator, paths.slice(0, 1), ours, theirs, rounds, seconds));
    return figures;
  } finally {
    generator.stop();
    peer?.stop();
    await running.stop();
  }
}

async function compare(
  generator: Child,
  { name, paths, rate, cpu }: Question,
  ours: Server,
  theirs: Server,
  rounds: number,
  seconds: number,
): Promise<Figure[]> {
  const pairs: [Measured, Measured][] = [];
  // First requests of these jobs, so that no answer comes from the cache.
  await Promise.all(
    paths.map(async (path) => (await fetch(`${ours.url}${path}`, { headers: ours.headers })).arrayBuffer()),
  );
  await load(generator, ours, paths, CONNECTIONS, seconds);
  await load(generator, theirs, paths, CONNECTIONS, seconds);
  for (let round = 0; round < rounds; round += 1) {
    const own = await load(generator, ours, paths, CONNECTIONS, seconds);
    const idleBefore = await ours.cpuSeconds();
    const other = await load(generator, theirs, paths, CONNECTIONS, seconds);
    const idleMicros = ((await ours.cpuSeconds()) - idleBefore) * 1e6;
    pairs.push([{ ...own, cpuMicros: own.cpuMicros - idleMicros / own.requests }, other]);
  }
  const of = (pick: (measured: Measured) => number) => pairs.map(([own, other]) => pick(own) / pick(other));
  const middle = (side: 0 | 1, pick: (measured: Measured) => number) =>
    Math.round(median(pairs.map((pair) => pick(pair[side]))));
  const requests = (measured: Measured) => measured.requestsPerSecond;
  const micros = (measured: Measured) => measured.cpuMicros;
  return [
    {
      name: `${name}: answers a second`,
      peer: PEER,
      ratios: of(requests),
      mustReach: { atLeast: rate },
      behind: `${middle(0, requests)} of ${middle(1, requests)} a second, ${CONNECTIONS} connections`,
    },
    {
      name: `${name}: CPU of an answer`,
      peer: PEER,
      ratios: of(micros),
      mustReach: { atMost: cpu },
      behind: `${middle(0, micros)} of ${middle(1, micros)} µs`,
    },
  ];
}

async function compareLatency(
  generator: Child,
  paths: readonly string[],
  ours: Server,
  theirs: Server,
  rounds: number,
  seconds: number,
): Promise<Figure> {
  const own: number[] = [];
  const other: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    own.push((await load(generator, ours, paths, 1, seconds)).p99 ?? Number.NaN);
    other.push((await load(generator, theirs, paths, 1, seconds)).p99 ?? Number.NaN);
  }
  return {
    name: '`GET /jobs/{id}/payment`: p99 at one connection',
    peer: PEER,
    ratios: own.map((micros, round) => micros / (other[round] ?? Number.NaN)),
    mustReach: { atMost: 1.3 },
    behind: `${Math.round(median(own))} of ${Math.round(median(other))} µs`,
  };
}

interface Measured extends LoadResult {
  /** CPU per answer. */
  readonly cpuMicros: number;
}

async function load(
  generator: Child,
  { url, headers, cpuSeconds }: Server,
  paths: readonly string[],
  connections: number,
  seconds: number,
): Promise<Measured> {
  const before = await cpuSeconds();
  const load: Load = { url, paths, headers, connections, seconds };
  const result = await generator.ask<LoadResult>(load);
  const used = (await cpuSeconds()) - before;
  if (result.failed > 0) throw new Error(`${result.failed} requests to ${url} were not answered with 200`);
  return { ...result, cpuMicros: (used * 1e6) / result.requests };
}
