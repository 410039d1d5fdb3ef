import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchangeRegistry } from '@maker/local-stack';
import { parse } from 'yaml';
import { checkOut } from '../../../tools/release/check-out.ts';
import { stepsUntil } from '../../../tools/release/run-step.ts';
import type { Values } from '../chart.ts';
import { prepareVersion, type ServerImages, TAG } from './images.ts';
import { createJob, createPaidJob, expectCompleted, expectOpen, payFor } from './jobs.ts';
import { applySecret, helm, kubectl, RELEASE } from './kubernetes.ts';
import { expectTag } from './pods.ts';
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
const THIS_CHART = { job: { plan: { executionWindowSeconds: WINDOW_SECONDS } } };

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

/**
 * From the first release to this one with an open job and a volume, back, and here again. The job from before ends under the first release, whose
 * executor cannot read those that began after the upgrade: they wait, and end once this release is back. Every wei of all is accounted for.
 */
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
    await expectTag(FIRST_TAG, FIRST_COMPONENTS);
    const early = await createPaidJob(product);
    const unpaid = await createJob(product);

    begin('helm upgrade to this release while that job runs');
    await installation.apply('upgrade', THIS_CHART);
    await expectTag(TAG);
    await expectOpen(product, early, 'the upgrade was');
    const between = await payFor(product, unpaid);

    begin('helm rollback to the first release while both jobs run');
    await helm(['rollback', RELEASE, '1', '--wait', '--timeout', '10m']);
    await expectTag(FIRST_TAG, FIRST_COMPONENTS);
    const late = await createPaidJob(product);
    await expectOpen(product, early, 'the rollback was');
    await expectCompleted(product, early);
    await expectOpen(product, between, 'this release was back');

    begin('helm upgrade to this release again: what waited ends');
    await installation.apply('upgrade', THIS_CHART);
    await expectTag(TAG);
    for (const job of [between, late]) await expectCompleted(product, job);
    await helm(['uninstall', RELEASE, '--wait', '--timeout', '5m']);
  });
}
