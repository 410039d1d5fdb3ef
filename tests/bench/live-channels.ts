import { setTimeout as wait } from 'node:timers/promises';
import { HYPEREVM_CLOCK } from '@maker/local-stack';
import { startOwnStack } from '../support/own-stack.ts';
import { Child } from './child.ts';
import type { Effort, Figure } from './figure.ts';
import type { Opened, Pages } from './live-pages.ts';
import { manyJobs } from './many-jobs.ts';
import { LIMIT_MIB, MemoryGroup } from './memory-group.ts';
import { cpuSecondsOf, processesOf, residentMib } from './processes.ts';

/** Longest time that a page without a channel may show old data (design § 8: a heartbeat reads again), ms. */
const BACK_WITHIN_MS = 30_000;
/** Share of the processors for all services together, with idle channels. */
const IDLE_PROCESSORS = 0.5;
const QUIET_MS = 30_000;

/** How many live channels one gateway holds, their cost when idle, and the time until all reconnect after a replacement. */
export async function measureLiveChannels({ channels, seconds }: Effort): Promise<Figure[]> {
  const limits = {
    RATE_LIMIT_REQUESTS: '1000000000',
    // Each page claims its own address: an address may have few channels.
    HTTP_TRUSTED_PROXIES: '127.0.0.1',
  };
  const running = await startOwnStack(20, { 'api-gateway': limits }, {}, { clock: HYPEREVM_CLOCK });
  const group = await MemoryGroup.create(`maker-bench-channels-${process.pid}`);
  const restart = () => running.restart('api-gateway');
  const replaced = () => (group ? group.around(restart) : restart());
  const pages = new Child('live-pages.ts');
  try {
    await replaced();
    const { stack, directory } = running;
    const paths = (await manyJobs(stack, channels)).map((jobId) => `/jobs/${jobId}/events`);
    const quietMs = Math.min(QUIET_MS, seconds * 8000);
    const cpu = async () => cpuSecondsOf(Object.values(await processesOf(directory)));
    const processors = async () => {
      const before = await cpu();
      await wait(quietMs);
      return ((await cpu()) - before) / (quietMs / 1000);
    };
    const without = await processors();
    const asked: Pages = { port: Number(new URL(stack.apiUrl).port), paths, apiKey: stack.apiKey, count: channels };
    const opened = await pages.ask<Opened>(asked);
    await wait(quietMs / 2);
    const more = (await processors()) - without;
    const mib = await residentMib((await processesOf(directory))['api-gateway'] ?? 0);
    const limit = (await group?.limitReport()) ?? 'in no group';
    const back = pages.ask<Opened>({});
    await replaced();
    const storm = await back;
    return [
      {
        name: 'open live channels of one gateway',
        peer: `${channels}, one for each job`,
        ratios: [opened.open / channels],
        mustReach: { atLeast: 1 },
        behind: `all within ${Math.round(opened.spreadMs)} ms; ${refusals(opened)}; p99 from asking to the job’s status ${Math.round(opened.p99)} ms`,
      },
      {
        name: 'memory of a gateway with all of them',
        peer: `${LIMIT_MIB} MiB, the chart’s limit`,
        ratios: [mib / LIMIT_MIB],
        mustReach: { atMost: 1 },
        behind: `${Math.round(mib)} MiB; ${limit}`,
      },
      {
        name: 'CPU of all services, database and broker while nothing happens',
        peer: `${IDLE_PROCESSORS} processors`,
        ratios: [more / IDLE_PROCESSORS],
        mustReach: { atMost: 1 },
        behind: `${more.toFixed(2)} processors more than without a channel (${without.toFixed(2)})`,
      },
      {
        name: 'their gateway is replaced, and all ask again at once: from the first that is back to the last',
        peer: `${BACK_WITHIN_MS / 1000} s`,
        ratios: [storm.open === channels ? storm.spreadMs / BACK_WITHIN_MS : Number.POSITIVE_INFINITY],
        mustReach: { atMost: 1 },
        behind: `${storm.open} back within ${Math.round(storm.spreadMs)} ms; ${refusals(storm)}`,
      },
    ];
  } finally {
    pages.stop();
    await running.stop();
    await group?.remove();
  }
}

function refusals({ refused }: Opened): string {
  const kinds = Object.entries(refused).map(([answer, count]) => `${count} × ${answer}`);
  return kinds.length === 0 ? 'none refused' : `refused before: ${kinds.join(', ')}`;
}
