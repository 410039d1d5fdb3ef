import { doesNotMatch, match, ok, deepStrictEqual as same } from 'node:assert';
import { everything } from './inventory.ts';
import { helm, RELEASE } from './kubernetes.ts';
import { type ReleasePod, releasePods } from './pods.ts';
import type { Installation } from './product.ts';
import { begin } from './steps.ts';
import { underVisits } from './visitor.ts';

/** helm's only message after its timeout. */
const NO_ANSWER = /context deadline exceeded|timed out waiting for the condition/;

/** A mistake of an operator. */
interface Mistake {
  readonly name: string;
  readonly values: Record<string, unknown>;
  /** helm's message. */
  readonly answer: RegExp;
  /** Longest time until the message. */
  readonly withinSeconds: number;
}

/** Mistakes before an installation and before an upgrade. */
export const MISTAKES: readonly Mistake[] = [
  {
    name: 'endpoint of a scheme that is none',
    values: { rpc: { urls: ['ftp://chain:8545'] } },
    answer: /rpc\.urls\.0|rpc\/urls\/0/,
    withinSeconds: 10,
  },
  {
    name: 'smallest payment below zero',
    values: { minimumPaymentHype: '-1' },
    answer: /minimumPaymentHype/,
    withinSeconds: 10,
  },
  {
    name: 'memory that is no quantity',
    values: { job: { resources: { limits: { memory: 'lots' } } } },
    answer: /job[./]resources[./]limits[./]memory/,
    withinSeconds: 10,
  },
  {
    name: 'Secret that is not there',
    values: { makerExecutor: { seed: { existingSecret: 'sead' } } },
    answer: /makerExecutor\.seed\.existingSecret: there is no Secret sead in namespace maker/,
    withinSeconds: 10,
  },
  {
    name: 'key that its Secret lacks',
    values: { makerExecutor: { seed: { existingSecret: 'maker-keys', key: 'phrase' } } },
    answer: /makerExecutor\.seed\.existingSecret: Secret maker-keys has no key phrase/,
    withinSeconds: 10,
  },
  {
    name: 'image that is not there',
    values: { job: { image: { tag: 'lokal' } }, preflight: { imageTimeoutSeconds: 15 } },
    answer:
      /localhost\/hyperevm-maker-bot\/job:lokal did not start within 15 s.*kubectl --namespace maker describe pod.*image-job/s,
    withinSeconds: 60,
  },
  {
    name: 'host of an endpoint that is none',
    values: { rpc: { urls: ['http://chian:8545'] } },
    answer: /chian/,
    withinSeconds: 120,
  },
  {
    name: 'port of an endpoint without a listener',
    values: { rpc: { urls: ['http://chain:8546'] } },
    answer: /8546/,
    withinSeconds: 120,
  },
  {
    name: 'chain of another id',
    values: { chain: { id: 998 } },
    answer: /31337/,
    withinSeconds: 120,
  },
];

async function expectRefused(
  { refused }: Installation,
  action: 'install' | 'upgrade',
  { name, values, answer, withinSeconds }: Mistake,
): Promise<void> {
  const began = Date.now();
  const said = await refused(action, values);
  const tookMs = Date.now() - began;
  match(said, answer, name);
  doesNotMatch(said, NO_ANSWER, name);
  ok(tookMs <= withinSeconds * 1000, `${name}: ${tookMs} ms`);
  console.log(`${name}: refused after ${(tookMs / 1000).toFixed(1)} s\n${indented(said)}`);
}

const indented = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

/** Asserts that helm explains every mistake before an installation, and leaves no pod behind. */
export async function refuseInstallations(installation: Installation): Promise<void> {
  begin('helm reports mistakes before it installs anything');
  const before = await everything();
  for (const mistake of MISTAKES) {
    await expectRefused(installation, 'install', mistake);
    const deployed = (await everything()).filter((name) => /^(deployment|statefulset)/.test(name));
    same(
      deployed,
      before.filter((name) => /^(deployment|statefulset)/.test(name)),
      mistake.name,
    );
    // A failed release keeps its name.
    await helm(['uninstall', RELEASE, '--ignore-not-found', '--wait']);
  }
}

/** Asserts that helm explains every mistake in an upgrade while all pods keep running, without an effect on visitors. */
export async function refuseUpgrades(installation: Installation): Promise<void> {
  begin('helm reports mistakes before it changes anything');
  const uids = (pods: readonly ReleasePod[]) => pods.map(({ uid }) => uid).sort();
  const before = uids(await releasePods());
  await underVisits(installation.product, async () => {
    for (const mistake of MISTAKES) {
      await expectRefused(installation, 'upgrade', mistake);
      same(uids(await releasePods()), before, mistake.name);
    }
  });
}
