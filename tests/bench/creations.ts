import { setTimeout as wait } from 'node:timers/promises';
import { HYPEREVM_CLOCK, type RunningStack } from '@maker/local-stack';
import { MongoClient } from 'mongodb';
import { startOwnStack } from '../support/own-stack.ts';
import type { CreationsAsked, CreationsMade } from './bare-creations.ts';
import { Child } from './child.ts';
import { type Effort, type Figure, median } from './figure.ts';
import type { Load, LoadResult } from './load-generator.ts';
import { cpuSecondsOf, processesOf } from './processes.ts';

const CONNECTIONS = 32;
const PEER = 'NATS and four writes of the MongoDB driver in turn';
/** CPU limit of a job's creation in all processes, ms. */
const CPU_MS = 5;
/** Longer than a job takes. */
const SETTLED_MS = 1500;
/** CPU of the chain, not of creations. */
const CHAIN = /anvil|node/;

/** Measures how fast jobs are created. A crowd must get jobs or refusals, and no job may exist without an answer. */
export async function measureCreations({ rounds, seconds, creations }: Effort): Promise<Figure[]> {
  const running = await startOwnStack(
    20,
    { 'api-gateway': { RATE_LIMIT_REQUESTS: '1000000000' } },
    {},
    { clock: HYPEREVM_CLOCK },
  );
  const generator = new Child('load-generator.ts');
  const peer = new Child('bare-creations.ts', [running.stack.natsUrl, running.stack.mongoUrl]);
  try {
    const load = loadOf(running, seconds);
    const asked: CreationsAsked = { connections: CONNECTIONS, seconds };
    await generator.ask<LoadResult>(load);
    await peer.ask<CreationsMade>(asked);
    const pids = Object.entries(await processesOf(running.directory))
      .filter(([name]) => !CHAIN.test(name))
      .map(([, pid]) => pid);
    const own: { perSecond: number; cpuMs: number }[] = [];
    const other: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const idleFrom = await cpuSecondsOf(pids);
      await wait(seconds * 1000);
      const idle = (await cpuSecondsOf(pids)) - idleFrom;
      const before = await cpuSecondsOf(pids);
      const { requestsPerSecond, requests, failed } = await generator.ask<LoadResult>(load);
      if (failed > 0) throw new Error(`${failed} of ${requests + failed} jobs were not made`);
      const used = (await cpuSecondsOf(pids)) - before;
      own.push({ perSecond: requestsPerSecond, cpuMs: ((used - idle) * 1000) / requests });
      other.push((await peer.ask<CreationsMade>(asked)).perSecond);
    }
    const cpuMs = own.map((one) => one.cpuMs);
    return [
      {
        name: '`POST /jobs/create`: jobs a second',
        peer: PEER,
        ratios: own.map(({ perSecond }, round) => perSecond / (other[round] ?? Number.NaN)),
        mustReach: { atLeast: 0.6 },
        behind: `${Math.round(median(own.map(({ perSecond }) => perSecond)))} of ${Math.round(median(other))} a second, ${CONNECTIONS} at once`,
      },
      {
        name: '`POST /jobs/create`: CPU of a job, all services, database and broker',
        peer: `${CPU_MS} ms`,
        ratios: cpuMs.map((ms) => ms / CPU_MS),
        mustReach: { atMost: 1 },
        behind: `${median(cpuMs).toFixed(1)} ms`,
      },
      await crowd(running, creations),
    ];
  } finally {
    generator.stop();
    peer.stop();
    await running.stop();
  }
}

function loadOf({ stack }: RunningStack, seconds: number): Load {
  return {
    url: stack.apiUrl,
    paths: ['/jobs/create'],
    headers: { 'x-api-key': stack.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ tokenAddress: stack.tokens.both, paymentAmount: 0.5 }),
    connections: CONNECTIONS,
    seconds,
  };
}

/** Sends all requests together: each answer has a job, or refuses without creating one. */
async function crowd({ stack }: RunningStack, creations: number): Promise<Figure> {
  const mongo = new MongoClient(stack.mongoUrl, { directConnection: true });
  try {
    const jobs = mongo.db('job').collection('jobs');
    const before = await settled(() => jobs.countDocuments());
    const statuses = new Map<number, number>();
    let slowestMs = 0;
    await Promise.all(
      Array.from({ length: creations }, async () => {
        const began = performance.now();
        const response = await fetch(`${stack.apiUrl}/jobs/create`, {
          method: 'POST',
          headers: { 'x-api-key': stack.apiKey, 'content-type': 'application/json' },
          body: JSON.stringify({ tokenAddress: stack.tokens.both, paymentAmount: 0.5 }),
        });
        await response.arrayBuffer();
        slowestMs = Math.max(slowestMs, performance.now() - began);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }),
    );
    const made = (await settled(() => jobs.countDocuments())) - before;
    const counted = (status: number) => statuses.get(status) ?? 0;
    const otherwise = creations - counted(201) - counted(429) - counted(503);
    const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    return {
      name: `${creations} in parallel: answers other than 201, 429 and 503, and jobs without an answer`,
      peer: 'all of them',
      ratios: [(otherwise + Math.abs(made - counted(201))) / creations],
      mustReach: { atMost: 0 },
      behind: `${counts}; ${made} made; all answered within ${(slowestMs / 1000).toFixed(1)} s`,
    };
  } finally {
    await mongo.close();
  }
}

/** Waits until a count stops growing: a client that disconnected early leaves a creation in progress. */
async function settled(count: () => Promise<number>): Promise<number> {
  for (let seen = await count(); ; ) {
    await wait(SETTLED_MS);
    const now = await count();
    if (now === seen) return now;
    seen = now;
  }
}
