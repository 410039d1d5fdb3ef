import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { freePort } from '@maker/local-stack';
import { createUsers, initiateSet } from '../../support/guarded-servers.ts';
import { output } from './command.ts';
import type { ServerImages } from './images.ts';
import { kubectl } from './kubernetes.ts';
import { prepareVolume } from './volume.ts';

/** Replacement for a command whose charts and images this machine cannot reach. */
export interface StandIn {
  /** Matches the commands. */
  readonly of: RegExp;
  /** Changes the command to use reachable sources. */
  readonly change?: (command: string) => string;
  /** Runs instead of the command. */
  readonly instead?: () => Promise<void>;
  /** Runs before the command. */
  readonly before?: () => Promise<void>;
}

const apply = (objects: readonly unknown[]) =>
  output('kubectl', ['apply', '--filename', '-'], objects.map((object) => JSON.stringify(object)).join('\n---\n'));

/** A second name of the chain, which the services take for another provider's host. */
export async function secondEndpoint(): Promise<void> {
  const ports = [{ name: 'rpc', port: 8545, targetPort: 'rpc' }];
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'chain-two' } };
  await kubectl(
    ['apply', '--filename', '-'],
    JSON.stringify({ ...service, spec: { selector: { app: 'chain' }, ports } }),
  );
}

const HTTPROUTES = 'httproutes.gateway.networking.k8s.io';

/** Adds HTTPRoutes to a cluster without them. @returns a function that removes them */
export async function gatewayApi(): Promise<() => Promise<void>> {
  const found = await output('kubectl', ['get', 'crd', HTTPROUTES, '--ignore-not-found', '--output', 'name']);
  if (found !== '') return async () => undefined;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: HTTPROUTES, annotations: { 'api-approved.kubernetes.io': 'unapproved, of a test' } },
    spec: {
      group: 'gateway.networking.k8s.io',
      names: { kind: 'HTTPRoute', plural: 'httproutes' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  await apply([crd]);
  await output('kubectl', ['wait', `crd/${HTTPROUTES}`, '--for', 'condition=Established', '--timeout', '60s']);
  return async () => void (await output('kubectl', ['delete', 'crd', HTTPROUTES]));
}

/** The NATS chart from the folder in `CLUSTER_NATS_CHART`, with this machine's server and without its reloader. */
export function natsChart({ nats = '' }: ServerImages): StandIn {
  return {
    of: /^helm install nats /,
    change: (command) =>
      command
        .replace(/ nats --repo \S+/, ` '${process.env.CLUSTER_NATS_CHART}'`)
        .concat(
          ` --set container.image.fullImageName=${nats},reloader.enabled=false --set 'container.merge.command={nats-server}'`,
        ),
    async before() {
      for (const member of MEMBERS) await prepareVolume(`nats-js-nats-${member}`, '10Gi', 'nats');
    },
  };
}

const MEMBERS = [0, 1, 2];

/** Three members with authorization and the names of `mongodb.yaml`, and the users of `users.js`, instead of the operator. */
export function mongodbMembers({ mongodb }: ServerImages): StandIn {
  return {
    of: /^helm install mongodb-operator |k8s\/mongodb\/mongodb\.yaml|mongodbcommunity/,
    async instead() {
      const made = await output('kubectl', ['-n', 'mongodb', 'get', 'statefulsets', '--output', 'name']);
      if (made !== '') return;
      await apply(memberObjects(mongodb?.image ?? 'docker.io/library/mongo:8.0'));
      await output('kubectl', ['-n', 'mongodb', 'rollout', 'status', 'statefulset/mongodb', '--timeout', '180s']);
      await makeUsers();
    },
  };
}

/** The server requires a key file that only its user can read, which a Secret's file is not. */
const START = `
const { readFileSync, writeFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
writeFileSync('/data/key', readFileSync('/key/key'), { mode: 0o400 });
const mongod = spawn('mongod', process.argv.slice(1), { stdio: 'inherit' });
process.on('SIGTERM', () => mongod.kill('SIGTERM'));
mongod.on('exit', (code) => process.exit(code ?? 1));
`;

function memberObjects(image: string): readonly unknown[] {
  const metadata = (name: string) => ({ name, namespace: 'mongodb' });
  const labels = { app: 'mongodb-svc' };
  const args = ['--replSet=mongodb', '--bind_ip_all', '--dbpath=/data', '--nounixsocket', '--keyFile=/data/key'];
  const parameters = ['--wiredTigerCacheSizeGB=0.25', '--setParameter=transactionLifetimeLimitSeconds=10'];
  const container = {
    name: 'mongodb',
    image,
    command: ['node', '-e', START, '--', ...args, ...parameters],
    ports: [{ name: 'mongo', containerPort: 27017 }],
    readinessProbe: { tcpSocket: { port: 'mongo' }, periodSeconds: 1 },
    volumeMounts: [
      { name: 'data', mountPath: '/data' },
      { name: 'key', mountPath: '/key' },
    ],
  };
  const volumes = [
    { name: 'data', emptyDir: {} },
    { name: 'key', secret: { secretName: 'members' } },
  ];
  const securityContext = { runAsUser: 999, runAsGroup: 999, fsGroup: 999 };
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: metadata('members'),
      stringData: { key: randomBytes(48).toString('base64') },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadata('mongodb-svc'),
      spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector: labels, ports: [{ port: 27017 }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: metadata('mongodb'),
      spec: {
        replicas: MEMBERS.length,
        serviceName: 'mongodb-svc',
        podManagementPolicy: 'Parallel',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { securityContext, volumes, containers: [container] } },
      },
    },
  ];
}

/** Creates the set and its users through a port-forward: a server without users lets its own pod create the first one. */
async function makeUsers(): Promise<void> {
  const port = await freePort();
  const forward = spawn('kubectl', ['-n', 'mongodb', 'port-forward', 'pod/mongodb-0', `${port}:27017`], {
    stdio: 'ignore',
  });
  try {
    const hosts = MEMBERS.map((member) => `mongodb-${member}.mongodb-svc.mongodb:27017`);
    // The port-forward reaches the first member.
    const members = hosts.map((host, member) => ({ _id: member, host, priority: member === 0 ? 2 : 1 }));
    const admin = randomBytes(24).toString('hex');
    const local = `127.0.0.1:${port}/?directConnection=true`;
    await initiateSet(`mongodb://${local}`, { _id: 'mongodb', members }, admin);
    const secret = ['-n', 'mongodb', 'get', 'secret', 'mongodb-passwords', '--output', 'json'];
    const { data } = JSON.parse(await output('kubectl', secret)) as { data: Record<string, string> };
    const passwordOf = (service: string) => Buffer.from(data[service] ?? '', 'base64').toString();
    await createUsers(`mongodb://admin:${admin}@${local}`, passwordOf);
  } finally {
    forward.kill();
  }
}
