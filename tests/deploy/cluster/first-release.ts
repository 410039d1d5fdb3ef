import { deepStrictEqual as same } from 'node:assert';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchangeRegistry } from '@maker/local-stack';
import { parse } from 'yaml';
import { checkOut } from '../../../tools/release/check-out.ts';
import { stepsUntil } from '../../../tools/release/run-step.ts';
import { until } from '../../support/until.ts';
import type { Values } from '../chart.ts';
import { COMPONENTS, prepareVersion, type ServerImages, TAG } from './images.ts';
import { createJob, createPaidJob, expectCompleted, expectOpen, payFor } from './jobs.ts';
import { applySecret, helm, kubectl, RELEASE } from './kubernetes.ts';
import { type ReleasePod, releasePods } from './pods.ts';
import { applyChart, type Installation, layered } from './product.ts';
import { begin } from './steps.ts';

/** The commit that 0.1.0 was. */
const FIRST_RELEASE = '2ffa129';
/** Tag of its images. */
const FIRST_TAG = 'first';
const FIRST_COMPONENTS = ['api-gateway', 'token-validation', 'job', 'payment-watcher', 'maker-executor', 'web'];
/** Shapes of exchanges that it knew. */
const FIRST_KINDS = ['uniswap-v2', 'uniswap-v3'];
/** Longer than an upgrade and a rollback take. */
const WINDOW_SECONDS = 420;
const SERVERS = ['nats', 'mongodb'];

/** Runs with the first release's sources, whose images the nodes have. @param run gets their folder */
async function withFirstRelease(run: (sources: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-first-release-'));
  try {
    const sources = await checkOut(stepsUntil(new AbortController().signal), FIRST_RELEASE, join(folder, 'sources'));
    await prepareVersion(sources.folder, FIRST_TAG, FIRST_COMPONENTS);
    await run(sources.folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Its example values, for this cluster. */
async function firstValues(sources: string, { stack }: Installation, images: ServerImages): Promise<Values> {
  const example = parse(await readFile(join(sources, 'k8s', 'values', 'local.yaml'), 'utf8')) as Values;
  const exchanges = exchangeRegistry(stack.contracts).filter(({ kind }) => FIRST_KINDS.includes(kind));
  return layered(example, {
    image: { tag: FIRST_TAG },
    chain: { exchanges },
    makerExecutor: { treasuryAddress: stack.treasury, executionWindowSeconds: WINDOW_SECONDS },
    tests: { tokenAddress: stack.tokens.both },
    evaluation: {
      nats: images.nats ? { image: images.nats } : {},
      mongodb: images.mongodb ? { image: images.mongodb.image } : {},
    },
  });
}

/** Every pod but those of the servers is of a version. */
async function expectVersion(tag: string, components: readonly string[]): Promise<void> {
  const isOf = ({ component }: ReleasePod) => !SERVERS.includes(component);
  const ours = async () => (await releasePods()).filter(isOf);
  const pods = await until('pods of one version', ours, (found) => found.every((pod) => pod.tag === tag), {
    timeoutMs: 120_000,
  });
  same([...new Set(pods.map(({ component }) => component))].sort(), [...components].sort());
}

/** From the first release to this one with an open job and a volume, and back: each job ends, every wei accounted for. */
export async function runFirstRelease(installation: Installation, images: ServerImages): Promise<void> {
  const { product } = installation;
  begin('images of the first release');
  await withFirstRelease(async (sources) => {
    begin('helm install of the first release');
    const key = await kubectl(['get', 'secret', 'site-api-key', '--output', 'jsonpath={.data.api-key}']);
    await applySecret('web-api-key', { 'api-key': Buffer.from(key, 'base64').toString() });
    await installation.prepareVolumes();
    const chart = join(sources, 'charts', 'hyperevm-maker-bot');
    await applyChart('install', chart, await firstValues(sources, installation, images));
    await expectVersion(FIRST_TAG, FIRST_COMPONENTS);
    const early = await createPaidJob(product);
    const unpaid = await createJob(product);

    begin('helm upgrade to this release while that job runs');
    await installation.apply('upgrade', { job: { plan: { executionWindowSeconds: WINDOW_SECONDS } } });
    await expectVersion(TAG, COMPONENTS);
    await expectOpen(product, early, 'the upgrade was');
    const between = await payFor(product, unpaid);
    const late = await createPaidJob(product);

    begin('helm rollback to the first release while all three jobs run');
    await helm(['rollback', RELEASE, '1', '--wait', '--timeout', '10m']);
    await expectVersion(FIRST_TAG, FIRST_COMPONENTS);
    for (const job of [early, between, late]) {
      await expectOpen(product, job, 'the rollback was');
      await expectCompleted(product, job);
    }
    await helm(['uninstall', RELEASE, '--wait', '--timeout', '5m']);
  });
}
