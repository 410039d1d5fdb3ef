import { deepStrictEqual as same } from 'node:assert';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProductClient } from '../../support/product-client.ts';
import { until } from '../../support/until.ts';
import { createJob, createPaidJob, expectCompleted, expectOpen, payFor } from './jobs.ts';
import { kubectl } from './kubernetes.ts';
import { type ReleasePod, releasePods } from './pods.ts';
import { begin } from './steps.ts';

/** Time from the deletion until everything is ready again. */
const READY_AGAIN_MS = 30_000;
/** Longest measurement, so that a late recovery still gives a figure. */
const MEASURE_MS = 180_000;
const ASK_MS = 250;
const FAILURE_LENGTH = 200;

/** Effect of a deletion. */
interface Recovery {
  readonly deleted: string;
  readonly readyMs: number;
  /** Time from the deletion to the last failed request; 0 if none failed. */
  readonly refusedMs: number;
}

/** Requests that need every part: the gateway, NATS, MongoDB, and each service. */
function questions(product: ProductClient, jobId: string): (() => Promise<unknown>)[] {
  const token = product.stack.tokens.both;
  return [() => product.orders(jobId), () => product.validate(token), () => createJob(product)];
}

/** Sends requests until stopped, and returns the time of the last failure. */
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

/** Deletes pods and waits until each component has as many new ready pods. */
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
    { timeoutMs: MEASURE_MS, everyMs: ASK_MS },
  );
  const readyMs = Date.now() - began;
  // Ready pods are not enough: each request must succeed again before the time counts.
  const answered = questions(product, jobId).map((question) =>
    until(
      'an answer',
      () => isFulfilled(question()),
      (is) => is,
      { timeoutMs: MEASURE_MS, everyMs: ASK_MS },
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

/** Deletes each pod of an evaluation's installation, then all together: they must be ready in time, and nothing may be lost. */
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

  begin('deleting all pods together while that job runs and another one is paid');
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
