import { output } from './command.ts';
import { SERVICE_IMAGE } from './images.ts';
import { kubectl } from './kubernetes.ts';

/** Ports at which a stranger listens: those of the product's servers, and of the web. */
export const STRANGER_PORTS = [443, 4222, 4318, 8545, 9090, 27017];

const LISTEN = `for (const port of ${JSON.stringify(STRANGER_PORTS)}) require('node:net').createServer((socket) => socket.end()).listen(port);`;

/** A pod outside the release. */
export interface Stranger {
  readonly namespace: string;
  readonly name: string;
  readonly address: string;
}

/** Creates a namespace if it is missing. @returns a function that deletes it if it is ours */
export async function ensureNamespace(name: string): Promise<() => Promise<void>> {
  const found = await output('kubectl', ['get', 'namespace', name, '--ignore-not-found', '--output', 'name']);
  if (found.trim()) return async () => undefined;
  await output('kubectl', ['create', 'namespace', name]);
  return async () => void (await output('kubectl', ['delete', 'namespace', name, '--timeout', '180s']));
}

/** Starts a pod that listens at {@link STRANGER_PORTS}. */
export async function startStranger(namespace: string, name: string): Promise<Stranger> {
  const container = {
    name: 'stranger',
    image: SERVICE_IMAGE,
    imagePullPolicy: 'IfNotPresent',
    command: ['/app/node', '-e', LISTEN],
    readinessProbe: { tcpSocket: { port: STRANGER_PORTS.at(-1) }, periodSeconds: 1 },
    resources: { requests: { cpu: '10m' } },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
  const spec = {
    containers: [container],
    terminationGracePeriodSeconds: 0,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
      sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }],
    },
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: name } }, spec };
  const inNamespace = ['--namespace', namespace];
  await output('kubectl', [...inNamespace, 'create', '--filename', '-'], JSON.stringify(pod));
  await output('kubectl', [...inNamespace, 'wait', `pod/${name}`, '--for', 'condition=Ready', '--timeout', '60s']);
  const address = await output('kubectl', [
    ...inNamespace,
    'get',
    `pod/${name}`,
    '--output',
    'jsonpath={.status.podIP}',
  ]);
  return { namespace, name, address };
}

/** Deletes a pod of {@link startStranger} in the product's namespace. */
export async function endStranger({ name }: Stranger): Promise<void> {
  await kubectl(['delete', `pod/${name}`, '--wait=true']);
}
