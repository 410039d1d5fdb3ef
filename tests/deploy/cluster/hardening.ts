import { strictEqual as equal, ok, rejects } from 'node:assert';
import { COMPONENTS } from './images.ts';
import { kubectl } from './kubernetes.ts';

/** Runs inside a container, since images have no shell: reads its user and the mount of its root. */
const ASK = `
  const root = require('node:fs').readFileSync('/proc/self/mounts', 'utf8').split('\\n')
    .map((line) => line.split(' ')).filter(([, path]) => path === '/').at(-1);
  console.log(JSON.stringify({ uid: process.getuid(), root: root[3].split(',')[0] }))`;

const PRIVILEGED = {
  containers: [{ name: 'main', image: 'localhost/none', securityContext: { privileged: true, runAsUser: 0 } }],
};

/** A user id that no image has. */
export function randomUser(): number {
  return 100_000 + Math.floor(Math.random() * 900_000);
}

/** Asserts that the namespace enforces PodSecurity 'restricted'. @throws AssertionError if it accepts a privileged pod */
export async function expectRestrictedNamespace(): Promise<void> {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'privileged' }, spec: PRIVILEGED };
  await rejects(
    kubectl(['create', '--dry-run=server', '--filename', '-'], JSON.stringify(pod)),
    /violates PodSecurity "restricted/,
  );
}

/** Asserts that a pod of every component has a user and a read-only root. */
export async function expectHardenedPods(user: number): Promise<void> {
  for (const component of COMPONENTS) {
    const selector = ['--selector', `app.kubernetes.io/component=${component}`];
    const [pod] = (await kubectl(['get', 'pods', ...selector, '--output', 'name'])).split('\n');
    ok(pod, `${component} has no pod`);
    const { uid, root } = JSON.parse(await kubectl(['exec', pod, '--', '/app/node', '-e', ASK]));
    equal(uid, user, `${component} runs as ${uid}`);
    equal(root, 'ro', `the root of ${component} is ${root}`);
    console.log(`${component}: user ${uid}, root ${root}`);
  }
}
