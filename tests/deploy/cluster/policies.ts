import { deepStrictEqual as same } from 'node:assert';
import { ALL_SERVICES } from '@maker/local-stack';
import { until } from '../../support/until.ts';
import { output } from './command.ts';
import { SERVICE_IMAGE } from './images.ts';
import { kubectl, NAMESPACE } from './kubernetes.ts';
import { type ReleasePod, releasePods } from './pods.ts';
import { begin } from './steps.ts';
import { endStranger, ensureNamespace, STRANGER_PORTS, startStranger } from './strangers.ts';

const MONITORING = 'monitoring';
const ELSEWHERE = 'maker-elsewhere';
/** Time until the network plugin applies policies to {@link ELSEWHERE}, after its pod starts. */
const SETTLED_MS = 30_000;

const SERVERS = ['nats:4222', 'mongodb:27017', 'dns:53'];
const WITH_CHAIN = [...SERVERS, 'chain:8545'];
const VISITED = ['api-gateway:8080', 'site:8080'];
const OUTSIDE = ['chain:8545', 'dns:53', 'kubernetes:443', ...STRANGER_PORTS.map((port) => `elsewhere:${port}`)];

/** The allowed edges (the table in the chart's README), by source. No other edge is allowed. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  'api-gateway': SERVERS,
  'token-validation': WITH_CHAIN,
  job: SERVERS,
  'payment-watcher': WITH_CHAIN,
  'maker-executor': WITH_CHAIN,
  receipts: SERVERS,
  'webhook-sender': SERVERS,
  site: [],
  nats: [],
  mongodb: ['dns:53'],
  'a pod of the namespace': [...VISITED, ...OUTSIDE],
  'a pod elsewhere': [...VISITED, ...OUTSIDE].filter((edge) => !edge.startsWith('elsewhere')),
  'a pod of monitoring': [...VISITED, ...OUTSIDE, ...[...ALL_SERVICES, 'site'].map((component) => `${component}:9090`)],
};

/** Connects to each address, and writes those that accept. */
const CONNECT = `
  const { connect } = require('node:net');
  const [targets] = process.argv.slice(-1);
  const tries = JSON.parse(targets).map(({ name, host, port }) => new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 3000 });
    const end = (isOpen) => { socket.destroy(); resolve(isOpen ? name : undefined); };
    socket.once('connect', () => end(true)).once('timeout', () => end(false)).once('error', () => end(false));
  }));
  Promise.all(tries).then((open) => console.log(JSON.stringify(open.filter(Boolean))));`;

interface Target {
  /** Name in {@link EDGES}. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** A pod that tries to reach everything. */
interface Source {
  readonly name: string;
  readonly address: string;
  /** Runs a Node program in its network. */
  run(program: string, argument: string): Promise<string>;
}

const inside = (namespace: string, pod: string) => (program: string, argument: string) =>
  output('kubectl', ['--namespace', namespace, 'exec', pod, '--', '/app/node', '-e', program, argument]);

/** Runs in a container beside a server whose image has no Node. */
async function beside(pod: string, program: string, argument: string): Promise<string> {
  const name = `probe-${Date.now()}`;
  const container = ['--container', name, '--profile', 'restricted', '--image', SERVICE_IMAGE, '--quiet'];
  const run = ['--image-pull-policy', 'IfNotPresent', '--', '/app/node', '-e', program, argument];
  await kubectl(['debug', pod, ...container, ...run]);
  const state = `jsonpath={.status.ephemeralContainerStatuses[?(@.name=="${name}")].state.terminated.reason}`;
  await until(
    'the probe',
    () => kubectl(['get', 'pod', pod, '--output', state]),
    (reason) => reason === 'Completed',
  );
  return kubectl(['logs', pod, '--container', name]);
}

const SERVER_PORTS: Readonly<Record<string, readonly number[]>> = { nats: [4222, 8222], mongodb: [27017] };
const portsOf = ({ component }: ReleasePod) => SERVER_PORTS[component] ?? [8080, 9090];

async function addressesOf(namespace: string, selector: string): Promise<string[]> {
  const find = ['--namespace', namespace, 'get', 'pods', '--selector', selector];
  return (await output('kubectl', [...find, '--output', 'jsonpath={.items[*].status.podIP}'])).split(' ');
}

async function kubernetesAddress(): Promise<string> {
  const find = ['--namespace', 'default', 'get', 'service', 'kubernetes'];
  return output('kubectl', [...find, '--output', 'jsonpath={.spec.clusterIP}']);
}

/** Tests by traffic between all pods that the policies open every named edge and no other. */
export async function runPolicies(): Promise<void> {
  begin('every edge that the policies do not name is refused, by traffic');
  const ends = [await ensureNamespace(MONITORING), await ensureNamespace(ELSEWHERE)];
  try {
    const pods = await releasePods();
    const own = await startStranger(NAMESPACE, 'stranger');
    const elsewhere = await startStranger(ELSEWHERE, 'stranger');
    const scraper = await startStranger(MONITORING, 'stranger');
    const strangers = { 'a pod of the namespace': own, 'a pod elsewhere': elsewhere, 'a pod of monitoring': scraper };
    const sources: Source[] = [
      ...pods.map(({ component, name, address }) => ({
        name: component,
        address,
        run: component in SERVER_PORTS ? beside.bind(undefined, name) : inside(NAMESPACE, name),
      })),
      ...Object.entries(strangers).map(([name, stranger]) => ({
        name,
        address: stranger.address,
        run: inside(stranger.namespace, stranger.name),
      })),
    ];
    const [chain = ''] = await addressesOf(NAMESPACE, 'app=chain');
    const [dns = ''] = await addressesOf('kube-system', 'k8s-app=kube-dns');
    const targets: Target[] = [
      ...pods.flatMap((pod) =>
        portsOf(pod).map((port) => ({ name: `${pod.component}:${port}`, host: pod.address, port })),
      ),
      ...STRANGER_PORTS.map((port) => ({ name: `elsewhere:${port}`, host: elsewhere.address, port })),
      { name: 'chain:8545', host: chain, port: 8545 },
      { name: 'dns:53', host: dns, port: 53 },
      { name: 'kubernetes:443', host: await kubernetesAddress(), port: 443 },
    ];
    let tried = 0;
    for (const source of sources) {
      // A pod reaches itself in spite of policies.
      const others = targets.filter(({ host }) => host !== source.address);
      const expected = others.map(({ name }) => name).filter((name) => EDGES[source.name]?.includes(name));
      const reach = async () => JSON.parse(await source.run(CONNECT, JSON.stringify(others))) as string[];
      const open = await until('rules', reach, (found) => found.join() === expected.join(), {
        timeoutMs: source.name in strangers ? SETTLED_MS : 0,
      }).catch(reach);
      same(open, expected, `${source.name}: its open edges differ from the policies`);
      tried += others.length;
      console.log(`${source.name}: ${open.length} of ${others.length} edges open (${[...new Set(open)].join(', ')})`);
    }
    console.log(`${tried} edges tried`);
    await endStranger(own);
  } finally {
    for (const end of ends) await end();
  }
}
