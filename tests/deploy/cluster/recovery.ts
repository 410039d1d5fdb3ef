import { deepStrictEqual as same } from 'node:assert';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProductClient } from '../../support/product-client.ts';
import { until } from '../../support/until.ts';
import { createJob, createPaidJob, expectCompleted, expectOpen, payFor } from './jobs.ts';
import { kubectl } from './kubernetes.ts';
import { type ReleasePod, releasePods } from './pods.ts';
import { begin } from './steps.ts';

/** From the deletion until everything is ready again. */
const READY_AGAIN_MS = 30_000;
/** How long is looked at the most, so that a figure is told of what comes too late. */
const LOOK_MS = 180_000;
const ASK_MS = 250;
const FAILURE_LENGTH = 200;

/** How long a deletion was felt. */
interface Recovery {
  readonly deleted: string;
  readonly readyMs: number;
  /** From the deletion to the last question that failed; 0 where none did. */
  readonly refusedMs: number;
}

/** Questions that take every part to answer: the gateway, NATS, MongoDB, and one service after the other. */
function questions(product: ProductClient, jobId: string): (() => Promise<unknown>)[] {
  const token = product.stack.tokens.both;
  return [() => product.orders(jobId), () => product.validate(token), () => createJob(product)];
}

/** Asks without end, and tells in the end when an answer failed last. */
function startAsking(product: ProductClient, jobId: string): { stop(): Promise<number> } {
  const began = Date.now();
  let failedMs = 0;
  const failures = new Set<string>();
  let running = true;
  const ask = async (question: () => Promise<unknown>) => {
    while (running) {
      await question().catch((error: unknown) => {
        failedMs = Date.now() - began;
        failures.add((error as Error).message.slice(0, FAILURE_LENGTH));
      });
      await wait(ASK_MS);
    }
  };
  const asking = Promise.all(questions(product, jobId).map(ask));
  return {
    async stop() {
      running = false;
      await asking;
      for (const failure of failures) console.log(`  meanwhile: ${failure}`);
      return failedMs;
    },
  };
}

/** Deletes pods and waits until as many of each component are ready again, none of them an old one. */
async function deletePods(
  product: ProductClient,
  jobId: string,
  pods: readonly ReleasePod[],
  all: readonly ReleasePod[],
  deleted: string,
): Promise<Recovery> {
  const gone = new Set(pods.map(({ uid }) => uid));
  const wanted = componentsOf(all);
  const asking = startAsking(product, jobId);
  const began = Date.now();
  await kubectl(['delete', '--wait=false', ...pods.map(({ name }) => `pod/${name}`)]);
  await until(
    `everything without ${deleted}`,
    releasePods,
    (now) => now.every(({ uid, isReady }) => isReady && !gone.has(uid)) && componentsOf(now).join() === wanted.join(),
    { timeoutMs: LOOK_MS, everyMs: ASK_MS },
  );
  const readyMs = Date.now() - began;
  // Ready pods are no answer yet: each question has one again before the time is told.
  const answered = questions(product, jobId).map((question) =>
    until(
      'an answer',
      () => isFulfilled(question()),
      (is) => is,
      { timeoutMs: LOOK_MS, everyMs: ASK_MS },
    ),
  );
  await Promise.all(answered);
  const refusedMs = await asking.stop();
  console.log(`${deleted}: ready again after ${seconds(readyMs)} s, last failure after ${seconds(refusedMs)} s`);
  return { deleted, readyMs, refusedMs };
}

const isFulfilled = (promise: Promise<unknown>) =>
  promise.then(
    () => true,
    () => false,
  );
const componentsOf = (pods: readonly ReleasePod[]) => pods.map(({ component }) => component).sort();
const seconds = (ms: number) => (ms / 1000).toFixed(1);

/** Each pod of an evaluation's installation goes, then all of them at once: ready again in time, and nothing is lost. */
export async function runRecovery(product: ProductClient): Promise<void> {
  begin('each pod is deleted in turn while a job runs');
  const job = await createPaidJob(product);
  const recoveries: Recovery[] = [];
  for (const { component, name } of await releasePods()) {
    const all = await releasePods();
    const pods = all.filter((pod) => pod.name === name);
    recoveries.push(await deletePods(product, job.jobId, pods, all, `${component} (${name})`));
  }
  await expectOpen(product, job, 'the last pod was deleted');

  begin('all pods are deleted at once while that job runs, and another one is paid for meanwhile');
  const unpaid = await createJob(product);
  const all = await releasePods();
  const [recovery, late] = await Promise.all([
    deletePods(product, job.jobId, all, all, 'all of them'),
    payFor(product, unpaid),
  ]);
  recoveries.push(recovery);
  await expectOpen(product, job, 'all pods were deleted');
  await expectCompleted(product, job);
  await expectCompleted(product, late);
  same(
    recoveries.filter(({ readyMs, refusedMs }) => Math.max(readyMs, refusedMs) > READY_AGAIN_MS),
    [],
    `longer than ${seconds(READY_AGAIN_MS)} s`,
  );
}
