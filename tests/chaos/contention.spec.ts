import type { CreateJobResponse } from '@maker/contracts';
import type { RunningStack } from '@maker/local-stack';
import { getAddress, type Hash } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepLogs } from '../support/keep-logs.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { Seeded } from '../support/seeded.ts';
import { StolenLeases } from '../support/stolen-leases.ts';
import { until } from '../support/until.ts';
import { HeldBroadcast, hashOf, type Purpose, purposeOf } from './held-broadcast.ts';
import { type Broadcast, type Intercept, InterceptedRpc } from './intercepted-rpc.ts';
import { assertNothingLost, jobsSince } from './invariants.ts';
import { LeaseThief } from './lease-thief.ts';
import { ROUNDS } from './rounds.ts';
import { executorOf, logOf, saying } from './service-log.ts';

const JOBS_AT_ONCE = 3;
/** Of the chain's clock, which runs four times as fast as ours: jobs last about as long as the thief works. */
const WINDOW_SECONDS = 100;
const LEASE_SECONDS = 3;
const JOB_MS = 400_000;
/** Thefts and pauses in one round. */
const DEEDS = 20;
/** Base fee above the bound of a return at quiet times, wei per gas. */
const RISEN_WEI = 1_000_000_000n;

let running: RunningStack;
let rpc: InterceptedRpc;
let product: ProductClient;
let wallets: StolenLeases;
let scanners: StolenLeases;

beforeAll(async () => {
  running = await startOwnStack(
    WINDOW_SECONDS,
    {
      job: { MINIMUM_PAYMENT_HYPE: '0.15' },
      'maker-executor': { MAKER_LEASE_SECONDS: String(LEASE_SECONDS), MAKER_RECONCILE_SECONDS: '2' },
    },
    { 'api-gateway': 2, job: 2, 'payment-watcher': 2, 'maker-executor': 2 },
    {
      async reach(server, port) {
        if (server !== 'chain') return port;
        rpc = await InterceptedRpc.start(`http://127.0.0.1:${port}`);
        return rpc.port;
      },
    },
  );
  product = new ProductClient(running.stack);
  wallets = StolenLeases.of(running.stack, 'maker_executor');
  scanners = StolenLeases.of(running.stack, 'payment_watcher');
}, 180_000);

afterAll(async () => {
  await Promise.all([wallets?.close(), scanners?.close()]);
  await running?.stop();
  await rpc?.stop();
});

beforeEach(({ onTestFailed }) => onTestFailed(() => keepLogs(running, 'chaos/contention')));

describe('two replicas of each service (design §§ 5 and 10)', () => {
  for (const round of ROUNDS) {
    it(`lose nothing when leases are stolen, round ${round}`, { timeout: JOB_MS }, async () => {
      const seeded = Seeded.ofRound(round);
      console.info(`CHAOS_SEED=${seeded.seed}`);
      const since = await product.chain.getBlockNumber();
      const thief = new LeaseThief(
        {
          running,
          leases: { 'maker-executor': wallets, 'payment-watcher': scanners },
          longestPauseMs: { 'maker-executor': LEASE_SECONDS * 1000 + 1500, 'payment-watcher': 8000 },
        },
        seeded,
        DEEDS,
      );
      const scannedBefore = await scanners.token('scanner');
      thief.start();
      const jobs: CreateJobResponse[] = [];
      try {
        const { both, v2Only, v3Only } = running.stack.tokens;
        for (let count = 0; count < JOBS_AT_ONCE; count++) {
          const job = await product.createJob(seeded.pick([both, v2Only, v3Only]), 0.25);
          jobs.push(job);
          await product.pay(job.paymentAddress, '0.25');
        }
        for (const job of jobs) await ended(job);
      } finally {
        await thief.stop();
      }
      await assertNothingLost(
        product,
        jobsSince(jobs, since),
        `CHAOS_SEED=${seeded.seed} ${JSON.stringify(thief.deeds)}`,
      );

      const scanTakeovers = (await scanners.token('scanner')) - scannedBefore;
      const [taken, sent] = await Promise.all(
        ['execution claimed', 'transaction sent'].map((message) =>
          Promise.all([0, 1].map((replica) => linesOf(replica, jobs, message))),
        ),
      );
      console.info(JSON.stringify({ ...thief.deeds, taken, scanTakeovers, sent }));
      // Each job's wallet and each watch is taken once without the thief.
      expect(sum(taken)).toBeGreaterThanOrEqual(2 * JOBS_AT_ONCE);
      expect(scanTakeovers).toBeGreaterThanOrEqual(1);
      for (const count of sent ?? []) expect(count).toBeGreaterThan(0);
    });
  }
});

describe('an owner that pauses between saving and sending a transaction (design § 5)', () => {
  let job: CreateJobResponse;
  let since: bigint;

  it('resends a successor’s transaction without effect', { timeout: JOB_MS }, async () => {
    const token = getAddress(running.stack.tokens.both);
    const purposes: Purpose[] = ['fee', 'order', 'delivery', 'return'];
    const holds = purposes.map(
      (purpose) => new HeldBroadcast((one) => purposeOf(one, running.stack, token) === purpose),
    );
    rpc.intercept = throughAll(holds);
    since = await product.chain.getBlockNumber();
    job = await product.createJob(token, 0.16);
    await product.pay(job.paymentAddress, '0.16');
    for (const hold of holds) {
      const broadcast = await hold.arrived;
      const sleeper = await ownerOf(job);
      running.pause('maker-executor', sleeper.replica);
      try {
        const successor = await until(
          'a successor',
          () => ownerOf(job),
          ({ fencing }) => fencing > sleeper.fencing,
        );
        expect(successor.replica).not.toBe(sleeper.replica);
        await mined(hashOf(broadcast));
      } finally {
        running.resume('maker-executor', sleeper.replica);
        hold.release();
      }
    }
    rpc.intercept = () => 'pass';
    await assertNothingLost(product, jobsSince([job], since), 'an owner asleep before each kind of broadcast');
  });

  for (const winner of ['its own bytes', "its successor's dearer bytes"] as const) {
    it(`returns a late deposit once while ${winner} are mined`, { timeout: JOB_MS }, async () => {
      const dearer: Broadcast[] = [];
      let mayReplace = winner !== 'its own bytes';
      const hold = new HeldBroadcast();
      const others: Intercept = (one) => {
        dearer.push(one);
        return mayReplace ? 'pass' : 'refuse';
      };
      rpc.intercept = (one) => hold.intercept(one, others);
      await product.pay(job.paymentAddress, '0.01');
      const own = await hold.arrived;
      const { baseFeePerGas: usualWei } = await product.chain.getBlock();
      const sleeper = await ownerOf(job);
      running.pause('maker-executor', sleeper.replica);
      try {
        const replaced = await until(
          'dearer bytes',
          async () => {
            await nextBaseFee(RISEN_WEI);
            return dearer.find(({ rawTransaction }) => rawTransaction !== own.rawTransaction);
          },
          (seen) => seen !== undefined,
        );
        if (mayReplace) await mined(hashOf(replaced as Broadcast));
        else await nextBaseFee(usualWei ?? 0n);
        hold.release();
        if (!mayReplace) await mined(hashOf(own));
      } finally {
        mayReplace = true;
        hold.release();
        running.resume('maker-executor', sleeper.replica);
      }
      await assertNothingLost(product, jobsSince([job], since), `a return replaced by a successor; ${winner} mined`);
    });
  }
});

/** Offers each broadcast to the holds in order, each after the previous one holds something. */
function throughAll(holds: readonly HeldBroadcast[]): Intercept {
  return holds.reduceRight<Intercept>(
    (rest, hold) => (one) => hold.intercept(one, rest),
    () => 'pass',
  );
}

/** Resolves when a job is neither waiting nor running. */
function ended({ jobId }: CreateJobResponse) {
  return product.ended(jobId, { timeoutMs: JOB_MS });
}

/** Current owner of a job's wallet. */
async function ownerOf({ jobId, paymentAddress }: CreateJobResponse): Promise<{ fencing: number; replica: number }> {
  return until(
    `the owner of ${paymentAddress}`,
    async () => {
      const fencing = await wallets.token(`wallet/${paymentAddress}`);
      return { fencing, replica: (await executorOf(running, jobId, fencing)) as number };
    },
    ({ replica }) => replica !== undefined,
  );
}

/** How often a replica of maker-executor logged a message about some jobs. */
async function linesOf(replica: number, jobs: readonly CreateJobResponse[], message: string): Promise<number> {
  const ids = new Set<unknown>(jobs.map(({ jobId }) => jobId));
  const lines = saying(await logOf(running, 'maker-executor', replica), message);
  return lines.filter(({ jobId }) => ids.has(jobId)).length;
}

function sum(counts: readonly number[] = []): number {
  return counts.reduce((total, count) => total + count, 0);
}

async function mined(hash: Hash): Promise<void> {
  await product.chain.waitForTransactionReceipt({ hash, timeout: 30_000 });
}

async function nextBaseFee(wei: bigint): Promise<void> {
  await product.control.request('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`);
}
