import { strictEqual as equal, deepStrictEqual as same } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { StackDescription } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { ProductClient } from '../../support/product-client.ts';
import { until } from '../../support/until.ts';
import { accountOfWallet } from '../../support/wallet-accounts.ts';
import { MissingProgram, output } from './command.ts';
import { expectHardenedPods, expectRestrictedNamespace, randomUser } from './hardening.ts';
import { COMPONENTS, NEXT_TAG, prepareImages, TAG } from './images.ts';
import { everything, lastingObjects } from './inventory.ts';
import { helm, kubectl, NAMESPACE, RELEASE, type ServiceProxy, startServiceProxy } from './kubernetes.ts';
import { type ComponentPod, componentPods } from './pods.ts';
import { type Installation, prepareInstallation } from './product.ts';
import { startVisitor } from './visitor.ts';

const JOB_MS = 400_000;
const AMOUNT = '0.25';
const SERVICE_PODS = `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component notin (nats,mongodb)`;

let step = 'begin';

/** Tells what is being done, and how long the step before took. */
function begin(what: string): void {
  step = what;
  console.log(`\n=== ${new Date().toISOString().slice(11, 19)} ${what}`);
}

async function createPaidJob(
  product: ProductClient,
): Promise<{ jobId: string; paymentAddress: string; block: bigint }> {
  const { jobId, paymentAddress } = await product.createJob(product.stack.tokens.both, Number(AMOUNT));
  const { blockNumber } = await product.pay(paymentAddress, AMOUNT);
  const seen = await until(
    'the payment',
    async () => ({ payment: await product.payment(jobId), head: await product.chain.getBlockNumber() }),
    ({ payment }) => payment.paymentReceived,
    { everyMs: 100 },
  );
  console.log(`job ${jobId}: paid in block ${blockNumber}, seen at block ${seen.head}`);
  return { jobId, paymentAddress, block: blockNumber };
}

/** Waits for a job's end and holds its accounts against the chain (design § 5: every wei). */
async function expectCompleted(product: ProductClient, job: Awaited<ReturnType<typeof createPaidJob>>): Promise<void> {
  const ended = await until(
    'the end of the job',
    () => product.payment(job.jobId),
    ({ status }) => status !== 'active',
    { timeoutMs: JOB_MS, everyMs: 1000 },
  );
  equal(ended.status, 'completed');
  const { both } = product.stack.tokens;
  const account = await accountOfWallet(product, job.paymentAddress as Address, both as Address, job.block);
  const deposit = parseHype(AMOUNT);
  same(account.otherRecipients, []);
  equal(account.feeWei, (deposit * 30n) / 100n);
  equal(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei + account.balanceWei, deposit);
  equal(account.balanceWei, 0n);
  console.log(`job ${job.jobId}: completed, ${account.ordersPlaced} orders, every wei accounted for`);
}

/** Every component runs images of a tag, and no others. */
async function expectTag(tag: string): Promise<void> {
  const pods = await until('pods of one version', componentPods, (found) => found.every((pod) => pod.tag === tag), {
    timeoutMs: 120_000,
    everyMs: 1000,
  });
  same([...new Set(pods.map(({ component }) => component))].sort(), [...COMPONENTS].sort());
  console.log(`${pods.length} pods of ${COMPONENTS.length} components run ${tag}`);
}

/** Runs `change` while a visitor asks without end; none of the requests may fail. */
async function underVisits(product: ProductClient, change: () => Promise<unknown>): Promise<void> {
  const visitor = startVisitor(product);
  try {
    await change();
  } finally {
    const counts = await visitor.stop();
    console.log(
      `visitor: ${counts.answered} answered, ${counts.failures.length} failed, slowest ${counts.slowestMs} ms`,
    );
    same(counts.failures, []);
  }
}

async function runThrough(installation: Installation): Promise<void> {
  const product = new ProductClient(installation.stack as StackDescription);
  const user = randomUser();
  const pods = { securityContext: { runAsUser: user, runAsGroup: user, fsGroup: user } };

  begin('the namespace refuses a privileged pod (PodSecurity restricted)');
  await expectRestrictedNamespace();
  const before = await everything();

  begin(`helm install as user ${user}: every pod ready`);
  await installation.apply('install', { pods });
  console.log(await kubectl(['get', 'pods']));
  await expectHardenedPods(user);
  await expectTag(TAG);
  const installed = await lastingObjects();

  begin('helm test: a token validated through gateway, NATS, token-validation and chain');
  await helm(['test', RELEASE, '--hide-notes']);

  begin('a whole job through the Service of the gateway');
  await expectCompleted(product, await createPaidJob(product));

  begin('helm upgrade to the next images rolls every pod while a job runs and a visitor asks');
  const job = await createPaidJob(product);
  const old = await componentPods();
  await underVisits(product, () => installation.apply('upgrade', { pods, image: { tag: NEXT_TAG } }));
  await expectTag(NEXT_TAG);
  const isLeft = (now: ComponentPod) => old.some(({ uid, imageId }) => now.uid === uid || now.imageId === imageId);
  same((await componentPods()).filter(isLeft), []);
  equal((await product.payment(job.jobId)).status, 'active', 'the job was over before the upgrade was');
  await expectCompleted(product, job);

  begin('a payment made while the payment watcher restarts is seen');
  const watcher = `deployment/${RELEASE}-hyperevm-maker-bot-payment-watcher`;
  await kubectl(['rollout', 'restart', watcher]);
  const late = await createPaidJob(product);
  await kubectl(['rollout', 'status', watcher, '--timeout', '180s']);

  begin('helm rollback to the first revision while that job runs and a visitor asks');
  await underVisits(product, () => helm(['rollback', RELEASE, '1', '--wait', '--timeout', '10m']));
  await expectTag(TAG);
  await expectCompleted(product, late);
  await until('the objects of the first revision', lastingObjects, (found) => isDeepStrictEqual(found, installed));
  console.log(`the ${installed.length} objects of the first installation, and no others`);

  begin('helm uninstall leaves nothing behind');
  await helm(['uninstall', RELEASE, '--wait', '--timeout', '5m']);
  await until('what was there before', everything, (found) => isDeepStrictEqual(found, before), { timeoutMs: 180_000 });
  console.log(`the ${before.length} objects from before the installation, and no others`);
}

async function printWhatIsThere(): Promise<void> {
  for (const args of [
    ['get', 'pods', '--output', 'wide'],
    ['get', 'events', '--sort-by', '.lastTimestamp'],
    ['logs', '--selector', SERVICE_PODS, '--all-containers', '--prefix', '--tail', '15'],
  ]) {
    console.error(await kubectl(args).catch((error: unknown) => String(error)));
  }
}

async function clean(): Promise<void> {
  await output('kubectl', ['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--timeout', '180s']);
}

if (!process.env.KUBECONFIG) {
  console.error('✗ KUBECONFIG names no cluster; see k8s/README.md');
  process.exit(1);
}
let proxy: ServiceProxy | undefined;
try {
  begin('images');
  const images = await prepareImages({ forUpgrade: true });
  begin('namespace, Secrets and chain');
  await clean();
  proxy = await startServiceProxy();
  await runThrough(await prepareInstallation(images, proxy));
  await clean();
  console.log('\n✓ all of it holds');
} catch (error) {
  process.exitCode = 1;
  if (error instanceof MissingProgram) console.error(`✗ ${error.message}`);
  else {
    console.error(`\n✗ ${step}:`, error);
    await printWhatIsThere();
  }
} finally {
  proxy?.stop();
}
