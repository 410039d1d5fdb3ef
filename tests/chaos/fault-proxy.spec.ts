import { setTimeout as wait } from 'node:timers/promises';
import type { CreateJobResponse, JobPaymentResponse } from '@maker/contracts';
import { type RunningStack, SERVICES } from '@maker/local-stack';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fault, FaultyNetwork } from '../support/faulty-network.ts';
import { keepLogs } from '../support/keep-logs.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { Seeded } from '../support/seeded.ts';
import { until } from '../support/until.ts';
import { GatewayProbe } from './gateway-probe.ts';
import { type BroadcastFate, InterceptedRpc } from './intercepted-rpc.ts';
import { assertNothingLost, jobsSince } from './invariants.ts';
import { createPaidJob } from './patient-visitor.ts';
import { ROUNDS } from './rounds.ts';

/** Fates of a dozen broadcasts, in random order; one without an answer costs the service its whole timeout. */
const FATES: readonly BroadcastFate[] = [
  ...(['pass', 'pass', 'pass', 'pass', 'refuse', 'refuse', 'refuse'] as const),
  ...(['lose_answer', 'lose_answer', 'lose_answer', 'lose_answer', 'swallow_answer'] as const),
];

type Server = 'mongod' | 'nats-server' | 'chain';

const SERVERS: readonly Server[] = ['mongod', 'nats-server', 'chain'];
const FAULTS: readonly Exclude<Fault, { kind: 'none' }>[] = [
  { kind: 'latency', ms: 300 },
  { kind: 'trickle', bytesPerSecond: 20_000 },
  { kind: 'reset' },
  { kind: 'black_hole' },
  { kind: 'half_open' },
  { kind: 'stale' },
];

/** Of the eighteen faults; with several rounds, all of them. */
const FAULTS_OF_ONE_ROUND = 6;
const FAULT_MS = [2_000, 6_000] as const;
/** Time from the end of a fault until every service is ready again without help. */
const RECOVERY_MS = 30_000;
const REQUESTS_OF_A_LOOK = 6;
const SETTLED_MS = 240_000;
const RUN_MS = 600_000;
/** Pays for about thirty orders. */
const SMALL_HYPE = '0.16';

let running: RunningStack;
let rpc: InterceptedRpc;
let product: ProductClient;
const networks = new Map<Server, FaultyNetwork>();

beforeAll(async () => {
  running = await startOwnStack(
    5,
    {
      job: { MINIMUM_PAYMENT_HYPE: '0.15' },
      'maker-executor': { MAKER_LEASE_SECONDS: '3', MAKER_RECONCILE_SECONDS: '2' },
    },
    {},
    {
      async reach(server, port) {
        if (server === 'chain') rpc = await InterceptedRpc.start(`http://127.0.0.1:${port}`);
        const network = await FaultyNetwork.before(server === 'chain' ? rpc.port : port);
        networks.set(server, network);
        return network.port;
      },
    },
  );
  product = new ProductClient(running.stack);
}, 180_000);

afterAll(async () => {
  await running?.stop();
  await Promise.all([...networks.values()].map((network) => network.stop()));
  await rpc?.stop();
});

beforeEach(({ onTestFailed }) => onTestFailed(() => keepLogs(running, 'chaos/fault-proxy')));

describe('a network that fails (design §§ 3 and 5)', () => {
  for (const round of ROUNDS) {
    it(`loses nothing during faults, round ${round}`, { timeout: RUN_MS }, async () => {
      const seeded = Seeded.ofRound(round);
      console.info(`CHAOS_SEED=${seeded.seed}`);
      const all = seeded.shuffle(SERVERS.flatMap((server) => FAULTS.map((fault) => ({ server, fault }))));
      const faults = ROUNDS.length > 1 ? all : oneOfEach(all);
      const since = await product.chain.getBlockNumber();
      const jobs = [await paidJob()];
      const probe = new GatewayProbe(product, Number(SMALL_HYPE));
      const recoveries: Record<string, number> = {};
      for (const { server, fault } of faults) {
        // Keeps a job running during each fault, or it would prove nothing.
        if (await isOver(jobs.at(-1))) jobs.push(await paidJob());
        const network = networks.get(server);
        network?.set(fault);
        const forMs = seeded.between(...FAULT_MS);
        const [created] = await Promise.all([
          probe.askAll(jobs[0]?.jobId ?? '', product.stack.tokens.both),
          wait(forMs),
        ]);
        network?.set({ kind: 'none' });
        recoveries[`${server} ${fault.kind}`] = await recovered(`${fault.kind} before ${server} for ${forMs} ms`);
        if (created) {
          await product.pay(created.paymentAddress, SMALL_HYPE);
          jobs.push(created);
        }
      }
      console.info(JSON.stringify({ faults: faults.length, jobs: jobs.length, recoveries, ...probe.answers }));
      await assertNothingLost(product, jobsSince(jobs, since), `CHAOS_SEED=${seeded.seed}`, { timeoutMs: SETTLED_MS });
    });
  }

  it('decides a broadcast’s fate by blocks', { timeout: RUN_MS }, async () => {
    const seeded = Seeded.ofRound(1);
    console.info(`CHAOS_SEED=${seeded.seed}`);
    let deck: BroadcastFate[] = [];
    const fates: Record<BroadcastFate, number> = { pass: 0, lose_answer: 0, swallow_answer: 0, refuse: 0 };
    rpc.intercept = () => {
      if (deck.length === 0) deck = seeded.shuffle(FATES);
      const fate = deck.pop() ?? 'pass';
      fates[fate] += 1;
      return fate;
    };
    const since = await product.chain.getBlockNumber();
    const jobs = [await paidJob()];
    try {
      await assertNothingLost(product, jobsSince(jobs, since), `CHAOS_SEED=${seeded.seed}`, { timeoutMs: SETTLED_MS });
    } finally {
      rpc.intercept = () => 'pass';
    }
    console.info(JSON.stringify(fates));
    for (const count of Object.values(fates)) expect(count).toBeGreaterThan(0);
  });
});

/** A mix with each server and each fault. */
function oneOfEach<Choice extends { readonly server: Server; readonly fault: Fault }>(
  all: readonly Choice[],
): Choice[] {
  const chosen: Choice[] = [];
  for (const { kind } of FAULTS) {
    const seen = (server: Server) => chosen.filter((choice) => choice.server === server).length;
    const rarest = Math.min(...SERVERS.map(seen));
    const next = all.find(({ server, fault }) => fault.kind === kind && seen(server) === rarest);
    if (next) chosen.push(next);
  }
  return chosen.slice(0, FAULTS_OF_ONE_ROUND);
}

async function isOver(job: CreateJobResponse | undefined): Promise<boolean> {
  const { status, body } = await product.call<JobPaymentResponse>('GET', `/jobs/${job?.jobId}/payment`);
  return status === 200 && body.status !== 'pending_payment' && body.status !== 'active';
}

function paidJob(): Promise<CreateJobResponse> {
  return createPaidJob(product, product.stack.tokens.both, SMALL_HYPE);
}

/** Waits until every service is ready and works. @returns the time, ms */
async function recovered(after: string): Promise<number> {
  const from = performance.now();
  await until(
    `all services ready after ${after}`,
    () => Promise.all(SERVICES.map(reasonsOf)),
    (reasons) => reasons.every((reason) => reason === ''),
    { timeoutMs: RECOVERY_MS },
  );
  await until(
    `answers to all requests after ${after}`,
    askManyTimes,
    (statuses) => statuses.every((status) => status < 300),
    { timeoutMs: RECOVERY_MS },
  );
  return Math.round(performance.now() - from);
}

/** Sends many requests, since a broker may route a part of them to a dead connection. @returns statuses */
async function askManyTimes(): Promise<number[]> {
  const token = { tokenAddress: product.stack.tokens.both };
  const asked = Array.from({ length: REQUESTS_OF_A_LOOK }, () => [
    product.call('GET', '/stats'),
    product.call('POST', '/validate-token', token),
  ]);
  return (await Promise.all(asked.flat())).map(({ status }) => status);
}

/** Reasons why a service is not ready; empty if it is. */
async function reasonsOf(service: (typeof SERVICES)[number]): Promise<string> {
  try {
    const response = await fetch(`${running.stack.ops[service]}/readyz`, { signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    return response.ok ? '' : `${service}: ${text}`;
  } catch (error) {
    return `${service}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
