import { strictEqual as equal, deepStrictEqual as same } from 'node:assert';
import type { StackDescription } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { ProductClient } from '../../system/product-client.ts';
import { until } from '../../system/until.ts';
import { accountOfWallet } from '../../system/wallet-accounts.ts';
import { output } from './command.ts';
import { prepareImages } from './images.ts';
import {
  helm,
  kubectl,
  NAMESPACE,
  RELEASE,
  releaseObjects,
  type ServiceProxy,
  startServiceProxy,
} from './kubernetes.ts';
import { type Installation, prepareInstallation } from './product.ts';
import { startVisitor } from './visitor.ts';

const JOB_MS = 400_000;
const AMOUNT = '0.25';

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

async function runThrough(installation: Installation): Promise<void> {
  const product = new ProductClient(installation.stack as StackDescription);

  begin('helm install: every pod ready under PodSecurity restricted');
  await installation.apply('install', {});
  console.log(await kubectl(['get', 'pods']));

  begin('helm test: a token validated through gateway, NATS, token-validation and chain');
  await helm(['test', RELEASE, '--logs']);

  begin('a whole job through the Service of the gateway');
  await expectCompleted(product, await createPaidJob(product));

  begin('helm upgrade rolls every pod while a job runs and a visitor asks');
  const job = await createPaidJob(product);
  const visitor = startVisitor(product);
  await installation.apply('upgrade', { pods: { annotations: { 'maker/rollout': '2' } } });
  const counts = await visitor.stop();
  console.log(`visitor: ${counts.answered} answered, ${counts.failures.length} failed, slowest ${counts.slowestMs} ms`);
  same(counts.failures, []);
  await expectCompleted(product, job);

  begin('a payment made while the payment watcher restarts is seen');
  await kubectl(['rollout', 'restart', `deployment/${RELEASE}-hyperevm-maker-bot-payment-watcher`]);
  const late = await createPaidJob(product);
  await kubectl(['rollout', 'status', `deployment/${RELEASE}-hyperevm-maker-bot-payment-watcher`, '--timeout', '180s']);
  await expectCompleted(product, late);

  begin('helm rollback: the first revision answers again');
  await helm(['rollback', RELEASE, '1', '--wait', '--timeout', '10m']);
  await until(
    'the first revision',
    () => kubectl(['get', 'pods', '--selector', 'app.kubernetes.io/component=job', '--output', 'yaml']),
    (pods) => !pods.includes('maker/rollout'),
    { timeoutMs: 120_000, everyMs: 1000 },
  );
  equal((await product.payment(late.jobId)).status, 'completed');

  begin('helm uninstall leaves nothing behind');
  await helm(['uninstall', RELEASE, '--wait', '--timeout', '5m']);
  await until('an empty namespace', releaseObjects, (objects) => objects.length === 0, { timeoutMs: 120_000 });
}

async function tellWhatIsThere(): Promise<void> {
  for (const args of [
    ['get', 'pods', '--output', 'wide'],
    ['get', 'events', '--sort-by', '.lastTimestamp'],
    ['logs', '--selector', `app.kubernetes.io/instance=${RELEASE}`, '--all-containers', '--prefix', '--tail', '15'],
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
  const images = await prepareImages();
  begin('namespace, Secrets and chain');
  await clean();
  proxy = await startServiceProxy();
  await runThrough(await prepareInstallation(images, proxy));
  await clean();
  console.log('\n✓ all of it holds');
} catch (error) {
  console.error(`\n✗ ${step}:`, error);
  await tellWhatIsThere();
  process.exitCode = 1;
} finally {
  proxy?.stop();
}
