import { strictEqual as equal, ok, rejects } from 'node:assert';
import { COMPONENTS } from './images.ts';
import { kubectl } from './kubernetes.ts';

/** Asks a container itself, since images have no shell: whose process it is, and how its root is mounted. */
const ASK = `
  const root = require('node:fs').readFileSync('/proc/self/mounts', 'utf8').split('\\n')
    .map((line) => line.split(' ')).filter(([, path]) => path === '/').at(-1);
  console.log(JSON.stringify({ uid: process.getuid(), root: root[3].split(',')[0] }))`;

const PRIVILEGED = {
  containers: [{ name: 'main', image: 'localhost/none', securityContext: { privileged: true, runAsUser: 0 } }],
};

/** A user that no image knows. */
export function randomUser(): number {
  return 100_000 + Math.floor(Math.random() * 900_000);
}

/** Holds the namespace to PodSecurity 'restricted'. @throws AssertionError when it takes a privileged pod */
export async function expectRestrictedNamespace(): Promise<void> {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'privileged' }, spec: PRIVILEGED };
  await rejects(
    kubectl(['create', '--dry-run=server', '--filename', '-'], JSON.stringify(pod)),
    /violates PodSecurity "restricted/,
  );
}

/** Holds a pod of every component to a user and to a root that cannot be written. */
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
