import { setTimeout as wait } from 'node:timers/promises';
import { HYPEREVM_CLOCK, SERVICES } from '@maker/local-stack';
import { startOwnStack } from '../support/own-stack.ts';
import { Child } from './child.ts';
import { type Effort, type Figure, sumOf } from './figure.ts';
import type { LoadResult } from './load-generator.ts';
import { manyJobs } from './many-jobs.ts';
import { LIMIT_MIB, MemoryGroup } from './memory-group.ts';
import { processesOf, proportionalMib, residentMib } from './processes.ts';

const IDLE_MIB = 110;
const IDLE_TOGETHER_MIB = 500;
const BUSY_MIB = 220;
const IDLE_MS = 20_000;
const CONNECTIONS = 64;

/** Memory of idle services, and of the gateway after many answers, in a group with the chart's limit if possible. */
export async function measureMemory({ requests, jobs, seconds }: Effort): Promise<Figure[]> {
  const group = await MemoryGroup.create(`maker-bench-${process.pid}`);
  const running = await startOwnStack(
    20,
    { 'api-gateway': { RATE_LIMIT_REQUESTS: '1000000000' } },
    {},
    { clock: HYPEREVM_CLOCK },
  );
  const generator = new Child('load-generator.ts');
  try {
    const { stack, directory } = running;
    if (group) await group.around(() => running.restart('api-gateway'));
    await wait(Math.min(IDLE_MS, seconds * 5000));
    const row = (name: string, mib: number, atMost: number, behind: string): Figure => ({
      name,
      peer: `${LIMIT_MIB} MiB, the chart’s limit`,
      ratios: [mib / LIMIT_MIB],
      mustReach: { atMost: atMost / LIMIT_MIB },
      behind: `${Math.round(mib)} MiB of ${atMost}${behind}`,
    });
    const figures: Figure[] = [];
    const pids = await processesOf(directory);
    const idle = await Promise.all(SERVICES.map((service) => residentMib(pids[service] ?? 0)));
    for (const [at, service] of SERVICES.entries()) {
      figures.push(row(`memory of ${service}, idle`, idle[at] ?? 0, IDLE_MIB, ''));
    }
    const shares = await Promise.all(SERVICES.map((service) => proportionalMib(pids[service] ?? 0)));
    const together = sumOf(shares);
    figures.push({
      name: `memory of ${SERVICES.length} services together, idle`,
      peer: `${IDLE_TOGETHER_MIB} MiB`,
      ratios: [together / IDLE_TOGETHER_MIB],
      mustReach: { atMost: 1 },
      behind: `${Math.round(together)} MiB with Node’s own program once; ${Math.round(sumOf(idle))} MiB with it in each`,
    });
    const paths = (await manyJobs(stack, jobs)).map((jobId) => `/jobs/${jobId}/payment`);
    let answered = 0;
    let most = 0;
    while (answered < requests) {
      const headers = { 'x-api-key': stack.apiKey };
      const load = { url: stack.apiUrl, paths, headers, connections: CONNECTIONS, seconds };
      const result = await generator.ask<LoadResult>(load);
      if (result.failed > 0) throw new Error(`${result.failed} requests were not answered with 200`);
      answered += result.requests;
      most = Math.max(most, await residentMib(pids['api-gateway'] ?? 0));
    }
    const after = await residentMib(pids['api-gateway'] ?? 0);
    const limit = (await group?.limitReport()) ?? 'in no group';
    const behind = `; ${Math.round(most)} at most; of ${jobs} jobs, ${limit}`;
    figures.push(row(`memory of api-gateway after ${answered} answers`, after, BUSY_MIB, behind));
    return figures;
  } finally {
    generator.stop();
    await running.stop();
    await group?.remove();
  }
}
