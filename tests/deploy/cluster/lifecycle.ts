import { deepStrictEqual as same } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { until } from '../../support/until.ts';
import { expectHardenedPods, expectRestrictedNamespace, randomUser } from './hardening.ts';
import { NEXT_TAG, TAG } from './images.ts';
import { everything, lastingObjects } from './inventory.ts';
import { createPaidJob, expectCompleted, expectOpen } from './jobs.ts';
import { helm, kubectl, RELEASE } from './kubernetes.ts';
import { componentPods, expectTag, type ReleasePod } from './pods.ts';
import { type Installation, runningAs } from './product.ts';
import { begin } from './steps.ts';
import { underVisits } from './visitor.ts';

/** A release from installation to removal: jobs, an upgrade to other images, a rollback, and a check that nothing is left. */
export async function runLifecycle({ product, apply }: Installation): Promise<void> {
  const user = randomUser();
  const own = runningAs(user);

  begin('the namespace refuses a privileged pod (PodSecurity restricted)');
  await expectRestrictedNamespace();
  const before = await everything();

  begin(`helm install as user ${user}: every pod ready`);
  await apply('install', own);
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
  await underVisits(product, () => apply('upgrade', { ...own, image: { tag: NEXT_TAG } }));
  await expectTag(NEXT_TAG);
  const isLeft = (now: ReleasePod) => old.some(({ uid, imageId }) => now.uid === uid || now.imageId === imageId);
  same((await componentPods()).filter(isLeft), []);
  await expectOpen(product, job, 'the upgrade was');
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
  await until('earlier objects', everything, (found) => isDeepStrictEqual(found, before), { timeoutMs: 180_000 });
  console.log(`the ${before.length} objects from before the installation, and no others`);
}
