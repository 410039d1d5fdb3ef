import { ok } from 'node:assert';
import type { ProductClient } from '../../support/product-client.ts';
import { until } from '../../support/until.ts';
import { succeeds } from './command.ts';
import { createPaidJob, expectCompleted, expectOpen } from './jobs.ts';
import { kubectl, RELEASE } from './kubernetes.ts';
import { releasePods } from './pods.ts';
import type { Installation } from './product.ts';
import { begin } from './steps.ts';
import { underVisits } from './visitor.ts';

const GATEWAY = 'api-gateway';
const EXECUTOR = 'maker-executor';
const MOST_GATEWAYS = 4;
const LEAST_GATEWAYS = 2;
const READERS = 24;
/** metrics-server samples every 15 s, and the autoscaler waits until pods are old enough. */
const SCALED_MS = 300_000;

/** An autoscaler for the gateways, and one executor. */
export const SCALED = {
  apiGateway: {
    resources: { requests: { cpu: '100m' } },
    // All requests come from one address.
    rateLimit: { requests: 1_000_000 },
    autoscaling: {
      enabled: true,
      minReplicas: LEAST_GATEWAYS,
      maxReplicas: MOST_GATEWAYS,
      // Readers share the path through the API server, which is slower than gateways: it keeps them at about forty.
      targetCPUUtilizationPercentage: 20,
      // The default is five minutes.
      behavior: { scaleDown: { stabilizationWindowSeconds: 15 } },
    },
  },
  makerExecutor: { replicas: 1 },
};

async function readyReplicas(wanted: string): Promise<number> {
  return (await releasePods()).filter(({ component, isReady }) => component === wanted && isReady).length;
}

const untilReplicas = (component: string, satisfied: (count: number) => boolean) =>
  until(`replicas of ${component}`, () => readyReplicas(component), satisfied, {
    timeoutMs: SCALED_MS,
    everyMs: 1000,
  });

/** Requests the landing page's figures without a pause, until stopped. */
function startReader(product: ProductClient): { stop(): Promise<void> } {
  let running = true;
  const reading = (async () => {
    while (running) await product.call('GET', '/stats');
  })();
  return {
    async stop() {
      running = false;
      await reading;
    },
  };
}

const seconds = (began: number) => ((Date.now() - began) / 1000).toFixed(0);

/** Scales gateways with their load, and executors during a job, without an effect on visitors. */
export async function runScaling({ product, apply }: Installation): Promise<void> {
  const isMeasured = await succeeds('kubectl', ['get', '--raw', '/apis/metrics.k8s.io/v1beta1/nodes']);
  ok(isMeasured, 'the cluster has no metrics API: it needs metrics-server');
  begin('helm install with an autoscaler for the gateway and one executor');
  await apply('install', SCALED);
  await untilReplicas(GATEWAY, (count) => count === LEAST_GATEWAYS);

  begin(`${READERS} readers without a pause: the autoscaler adds gateways, and takes them away after`);
  let began = Date.now();
  const readers = Array.from({ length: READERS }, () => startReader(product));
  const most = await untilReplicas(GATEWAY, (count) => count > LEAST_GATEWAYS).finally(() =>
    Promise.all(readers.map((reader) => reader.stop())),
  );
  console.log(`${most} gateways after ${seconds(began)} s`);
  console.log(await kubectl(['get', 'horizontalpodautoscalers']));
  began = Date.now();
  await underVisits(product, () => untilReplicas(GATEWAY, (count) => count === LEAST_GATEWAYS));
  console.log(`${LEAST_GATEWAYS} gateways again after ${seconds(began)} s`);

  begin('executors 1, 2 and 1 again while a job runs');
  const job = await createPaidJob(product);
  for (const replicas of [2, 1]) {
    began = Date.now();
    const deployment = `deployment/${RELEASE}-hyperevm-maker-bot-${EXECUTOR}`;
    await underVisits(product, async () => {
      await kubectl(['scale', deployment, '--replicas', String(replicas)]);
      await untilReplicas(EXECUTOR, (count) => count === replicas);
    });
    console.log(`${replicas} of ${EXECUTOR} after ${seconds(began)} s`);
    await expectOpen(product, job, `there were ${replicas}`);
  }
  await expectCompleted(product, job);
}
