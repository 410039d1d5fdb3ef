import { setTimeout as wait } from 'node:timers/promises';
import { HYPEREVM_CLOCK, type RunningStack, SERVICES } from '@maker/local-stack';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import { type Effort, type Figure, sumOf } from './figure.ts';
import { cpuSecondsOf, partOf, processesOf } from './processes.ts';

/** Time after the start until the stack is idle, ms; shorter in a smoke run. */
const REST_MS = 15_000;
/** Seconds of measurement per second of effort. */
const LONGER = 15;
const JOBS = 4;
/** Spreads a job's orders, so that most blocks have none. */
const WINDOW_SECONDS = 86_400;
const BUDGET = 0.25;

/** Use during a measurement. */
interface Use {
  readonly blocks: number;
  /** Share of one core, of 1, by process. */
  readonly cores: ReadonlyMap<string, number>;
  /** Commands to MongoDB by service, without those that wait for changes. */
  readonly commands: ReadonlyMap<string, number>;
}

/** CPU time and database commands of an idle stack without scrapes, and of each waiting job. The chain makes a block a second. */
export async function measureIdle({ seconds }: Effort): Promise<Figure[]> {
  const running = await startOwnStack(WINDOW_SECONDS, {}, {}, { clock: HYPEREVM_CLOCK });
  const product = new ProductClient(running.stack);
  try {
    await wait(Math.min(REST_MS, seconds * 5000));
    const idle = await measured(running, product, seconds * LONGER * 1000);
    for (let job = 0; job < JOBS; job += 1) {
      const { jobId, paymentAddress } = await product.createJob(running.stack.tokens.both, BUDGET);
      await product.pay(paymentAddress, String(BUDGET));
      const placed = async () => (await product.orders(jobId)).length;
      await until('the first order', placed, (count) => count > 0, { timeoutMs: 120_000 });
    }
    const trading = await measured(running, product, seconds * LONGER * 1000);
    const [quiet, busy] = [commandsABlock(idle), commandsABlock(trading)];
    const cores = [...idle.cores]
      .filter(([name]) => partOf(name) !== 'chain')
      .toSorted(([, one], [, other]) => other - one);
    return [
      {
        name: 'CPU of the idle stack, all but the chain',
        peer: 'one core',
        ratios: [sumOf(cores.map(([, share]) => share))],
        mustReach: { atMost: 0.04 },
        behind: cores.map(([name, share]) => `${name} ${(share * 100).toFixed(1)} %`).join(', '),
      },
      {
        name: 'commands to MongoDB, idle',
        peer: 'blocks',
        ratios: [quiet],
        mustReach: { atMost: 3 },
        behind: byService(idle),
      },
      {
        name: 'commands to MongoDB, each active job',
        peer: 'blocks',
        ratios: [(busy - quiet) / JOBS],
        mustReach: { atMost: 2 },
        behind: `${JOBS} jobs; ${byService(trading)}`,
      },
    ];
  } finally {
    await running.stop();
  }
}

async function measured(running: RunningStack, { chain }: ProductClient, ms: number): Promise<Use> {
  const pids = Object.entries(await processesOf(running.directory));
  const commands = () => Promise.all(SERVICES.map((service) => commandsOf(running.stack.ops[service])));
  const sample = async () => ({
    atMs: performance.now(),
    block: Number(await chain.getBlockNumber()),
    cpu: await Promise.all(pids.map(([, pid]) => cpuSecondsOf([pid]))),
  });
  // A metrics page shows the commands before its scrape: the first scrape keeps its own commands out of the difference.
  await commands();
  const sent = await commands();
  const before = await sample();
  await wait(ms);
  const after = await sample();
  const last = await commands();
  const seconds = (after.atMs - before.atMs) / 1000;
  const rise = (from: readonly number[], to: readonly number[], at: number) => (to[at] ?? 0) - (from[at] ?? 0);
  return {
    blocks: after.block - before.block,
    cores: new Map(pids.map(([name], at) => [name, rise(before.cpu, after.cpu, at) / seconds])),
    commands: new Map(SERVICES.map((service, at) => [service, rise(sent, last, at)])),
  };
}

/** Commands that a service sent to MongoDB; none if it has no database. */
async function commandsOf(ops: string): Promise<number> {
  const page = await (await fetch(`${ops}/metrics`, { headers: { connection: 'close' } })).text();
  const counts = page.matchAll(/^maker_mongo_command_duration_seconds_count\{command="(\w+)"[^}]*\} (\d+)$/gm);
  return sumOf([...counts].map(([, command, count]) => (command === 'getMore' ? 0 : Number(count))));
}

const commandsABlock = ({ blocks, commands }: Use) => sumOf([...commands.values()]) / blocks;

const byService = ({ blocks, commands }: Use) =>
  [...commands]
    .filter(([, count]) => count > 0)
    .map(([service, count]) => `${service} ${(count / blocks).toFixed(2)}`)
    .join(', ');
