import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXCHANGES } from '@maker/chain';
import { ALL_SERVICES, SERVICES } from '@maker/local-stack';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeSecrets } from '../../apps/ops/src/keys/product-keys.ts';
import {
  EXAMPLES,
  KUBERNETES_VERSIONS,
  type KubernetesObject,
  leaves,
  OPERATORS,
  OPTIONAL_APIS,
  parseObjects,
  podTemplates,
  render,
  renderText,
} from './chart.ts';
import { kubernetesCheck } from './kubernetes-schemas.ts';
import { ENVIRONMENTS, environmentOf, startsWith } from './service-environments.ts';

const K8S = dirname(EXAMPLES);
/** Replaces the examples, which the chart refuses. */
const OWN = {
  treasury: '0x1111111111111111111111111111111111111111',
  makerExecutor: { operatorKeys: OPERATORS },
};

const read = async (file: string) => parseObjects(await readFile(join(K8S, file), 'utf8'));

/** Names of Secrets in objects. */
function secretsIn(text: string): string[] {
  const names = [...text.matchAll(/secretName: (\S+)|secretKeyRef:\s+name: (\S+)/g)];
  return [...new Set(names.map(([, mounted, referenced]) => mounted ?? referenced ?? ''))].sort();
}

/** Values that `npm run k8s:up` fills in. */
const FILLED_IN = { ...OWN, chain: { exchanges: [{ id: 'uniswap-v2', kind: 'uniswap-v2' }] } };

/** Values files that belong together. */
const HARDENED = ['production', 'hardening'];
const ENCRYPTED = ['production', 'tls'];
const filesOf = (names: readonly string[]) => names.map((name) => join(EXAMPLES, `${name}.yaml`));

describe.each([[['local']], [['staging']], [['production']], [HARDENED], [ENCRYPTED]])('k8s/values, %s', (names) => {
  it('renders to objects that Kubernetes accepts', async () => {
    const [name] = names;
    const files = filesOf(names);
    const values = name === 'local' ? FILLED_IN : OWN;
    const objects = await render({ files, apis: OPTIONAL_APIS, values });
    expect(objects.filter(({ kind }) => kind === 'Deployment')).not.toEqual([]);
    const check = await kubernetesCheck(KUBERNETES_VERSIONS[0]);
    const own = objects.filter(({ apiVersion }) => !/coreos|gateway/.test(apiVersion));
    expect((await Promise.all(own.map(check))).flat()).toEqual([]);
  });
});

describe.each([
  [['staging'], 998],
  [['production'], 999],
  [HARDENED, 999],
  [ENCRYPTED, 999],
])('k8s/values, %s', (names, chainId) => {
  const components = [...(names === HARDENED ? ALL_SERVICES : SERVICES), 'site'];

  it.each(components)('gives %s a valid configuration', async (of) => {
    const objects = await render({ files: filesOf(names), apis: OPTIONAL_APIS, values: OWN });
    const chosen = startsWith(of, environmentOf(objects, of));
    if ('CHAIN_ID' in chosen) expect(chosen.CHAIN_ID).toBe(chainId);
    // receipts has the chain's name but does not read the chain.
    if (!('CHAIN_RPC_URLS' in chosen)) return;
    const { CHAIN_EXCHANGES_FILE, CHAIN_RPC_URLS, CHAIN_CONFIRMATIONS } = chosen as Record<string, unknown>;
    expect({ CHAIN_EXCHANGES_FILE, CHAIN_CONFIRMATIONS }).toEqual({ CHAIN_CONFIRMATIONS: 1 });
    expect(CHAIN_RPC_URLS).toHaveLength(2);
    expect(EXCHANGES[chainId]?.map(({ id }) => id)).toContain('hyperswap-v3');
    if (ENVIRONMENTS[of]?.shape.HYPERCORE_API_URL)
      expect(chosen.HYPERCORE_API_URL).toMatch(/^https:\/\/api\.hyperliquid/);
  });
});

describe('the production values', () => {
  it('run two of each service, none on dead nodes', async () => {
    const objects = await render({ files: filesOf(['production']), apis: OPTIONAL_APIS, values: OWN });
    const services = podTemplates(objects).filter(({ component }) => SERVICES.some((name) => name === component));
    expect(services.map(({ component, owner }) => [component, owner.kind, owner.spec.replicas])).toEqual(
      services.map(({ component }) => [component, 'Deployment', 2]),
    );
    expect(services).toHaveLength(SERVICES.length);
  });

  it('are at most twelve', async () => {
    const [file = ''] = filesOf(['production']);
    expect(leaves(parse(await readFile(file, 'utf8')))).toBeLessThanOrEqual(12);
  });

  it('need at most two Secrets', async () => {
    const rendered = await renderText({ files: filesOf(['production']), apis: OPTIONAL_APIS, values: OWN });
    expect(secretsIn(rendered)).toEqual(['maker-keys', 'rpc-endpoints']);
  });
});

describe('k8s/external-secrets', () => {
  it('makes every Secret that the production values name', async () => {
    const made = (await read('external-secrets/external-secrets.yaml')).map(({ spec }) => spec.target.name);
    const rendered = await renderText({ files: filesOf(HARDENED), apis: OPTIONAL_APIS, values: OWN });
    expect(secretsIn(rendered).filter((name) => !name.endsWith('-tls'))).toEqual(made.sort());
  });
});

/** Users of a database with their roles, as `user@database: role@database`. */
type User = { readonly user: string; readonly db: string; readonly roles: readonly { role: string; db: string }[] };
const grants = (users: readonly User[]) =>
  users.map(({ user, db, roles }) => `${user}@${db}: ${roles.map(({ role, db }) => `${role}@${db}`).join(', ')}`);

describe('k8s/mongodb', () => {
  it('gives the operator the users of users.js', async () => {
    const made: User[] = [];
    const shell = {
      getSiblingDB: (db: string) => ({ createUser: (user: Omit<User, 'db'>) => made.push({ ...user, db }) }),
    };
    const env = new Proxy({}, { get: () => 'password' });
    new Function('db', 'process', await readFile(join(K8S, 'mongodb', 'users.js'), 'utf8'))(shell, { env });
    const [mongodb] = await read('mongodb/mongodb.yaml');
    // biome-ignore lint/suspicious/noExplicitAny: a user of the operator's resource
    const users = mongodb?.spec.users.map(({ name, db, roles }: any) => ({
      user: name,
      db,
      roles: roles.map(({ name: role, db }: { name: string; db: string }) => ({ role, db })),
    }));
    const [administrator, ...services] = grants(users);
    expect(administrator).toMatch(/^administrator@admin: /);
    expect(services).toEqual(grants(made));
    expect(made).toHaveLength(ALL_SERVICES.length);
  });

  it('has no version that shows memory to strangers (CVE-2025-14847)', async () => {
    const [mongodb] = await read('mongodb/mongodb.yaml');
    const [major, minor, patch] = String(mongodb?.spec.version).split('.').map(Number);
    expect([major, minor]).toEqual([8, 0]);
    expect(patch).toBeGreaterThanOrEqual(17);
  });

  it('sizes each container of a member', async () => {
    const [mongodb] = await read('mongodb/mongodb.yaml');
    const { containers } = mongodb?.spec.statefulSet.spec.template.spec ?? {};
    const sized = containers.map(({ name, resources }: { name: string; resources: object }) => [
      name,
      Object.keys(resources),
    ]);
    expect(sized).toEqual([
      ['mongod', ['requests', 'limits']],
      ['mongodb-agent', ['requests', 'limits']],
    ]);
  });

  it('reads the passwords that `ops secrets` makes', async () => {
    const [mongodb] = await read('mongodb/mongodb.yaml');
    const references = mongodb?.spec.users.map(
      ({ passwordSecretRef }: { passwordSecretRef: object }) => passwordSecretRef,
    );
    const { manifest } = await makeSecrets({ mongodbNamespace: 'mongodb' });
    const { metadata, stringData } = JSON.parse(manifest.text).items[1];
    expect(references).toEqual(Object.keys(stringData).map((key) => ({ name: metadata.name, key })));
    expect(mongodb?.metadata.namespace).toBe(metadata.namespace);
  });
});

describe('k8s/tls', () => {
  /** Certificates by the Secret that cert-manager makes of each, as `namespace/name`. */
  const certificates = async () => {
    const made = (await read('tls/certificates.yaml')).filter(({ kind }) => kind === 'Certificate');
    return new Map(made.map(({ metadata, spec }) => [`${metadata.namespace}/${spec.secretName}`, spec]));
  };
  const file = async (path: string) => parse(await readFile(join(K8S, path), 'utf8'));

  it('names every server of the values in its certificate', async () => {
    const { mongodb, nats } = await file('values/tls.yaml');
    const hosts = (url: string) => [...url.matchAll(/(?<=[/,])[a-z][\w.-]+(?=[,/:])/g)].map(([host]) => host);
    const named = new Map([...(await certificates())].map(([secret, { dnsNames }]) => [secret, dnsNames ?? []]));
    const isNamed = (secret: string, host: string) =>
      named.get(secret)?.some((name: string) => name === host || name === host.replace(/^[^.]+/, '*'));
    const members = hosts(mongodb.url);
    expect(members).toHaveLength(3);
    expect(members.filter((host) => !isNamed('mongodb/mongodb-tls', host))).toEqual([]);
    expect(hosts(`${nats.url[0]}/`).filter((host) => !isNamed('nats/nats-tls', host))).toEqual([]);
  });

  it('lets servers use only Secrets that cert-manager makes', async () => {
    const { tls } = (await file('tls/mongodb.yaml')).spec.security;
    const { config, tlsCA } = await file('tls/nats.yaml');
    const used = [
      ...[tls.certificateKeySecretRef, tls.caCertificateSecretRef].map(({ name }) => `mongodb/${name}`),
      ...[config.nats.tls, config.cluster.tls, tlsCA].map(({ secretName }) => `nats/${secretName}`),
    ];
    const made = await certificates();
    expect(used.filter((secret) => !made.has(secret))).toEqual([]);
  });

  it('mounts the authority, not its key, where services read it', async () => {
    const pods = podTemplates(await render({ files: filesOf(ENCRYPTED), apis: OPTIONAL_APIS, values: OWN }));
    const made = await certificates();
    for (const { component, spec } of pods.filter(({ component }) => SERVICES.some((name) => name === component))) {
      const [{ env, volumeMounts }] = spec.containers;
      const authority = env.find(({ name }: { name: string }) => name === 'NODE_EXTRA_CA_CERTS')?.value;
      const mount = volumeMounts.find(({ mountPath }: { mountPath: string }) => mountPath === dirname(authority));
      const { secret } = spec.volumes.find(({ name }: { name: string }) => name === mount.name);
      expect(secret.items, component).toEqual([{ key: 'ca.crt', path: 'ca.crt' }]);
      expect(made.has(`maker/${secret.secretName}`), component).toBe(true);
    }
  });
});

describe('`ops secrets`', () => {
  it('makes the keys of the production values and NATS users', async () => {
    const { manifest } = await makeSecrets({ natsNamespace: 'nats' });
    const [keys, nats] = JSON.parse(manifest.text).items;
    const rendered = await renderText({ files: filesOf(['production']), apis: OPTIONAL_APIS, values: OWN });
    const own = { webhookSender: { enabled: true, endpoints: { existingSecret: 'webhook-endpoints' } } };
    const all = rendered + (await renderText({ values: own }));
    const used = [
      ...all.matchAll(
        /name: maker-keys\s+key: (\S+)|secretName: maker-keys\s+defaultMode: \S+\s+items:\s+- (?:\{ )?key: ([^\s,]+)/g,
      ),
    ];
    const names = new Set(used.map(([, referenced, mounted]) => referenced ?? mounted));
    expect([...names].sort()).toEqual(Object.keys(keys.stringData).sort());
    const users = await readFile(join(K8S, 'nats', 'users.conf'), 'utf8');
    const passwords = [...users.matchAll(/password: \$(\w+)/g)].map(([, name]) => name);
    expect(passwords.sort()).toEqual(Object.keys(nats.stringData).sort());
  });
});

describe('k8s', () => {
  it('has a namespace that enforces PodSecurity restricted', async () => {
    const [namespace] = await read('namespace.yaml');
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  it('has the namespace of NATS', async () => {
    const [namespace] = await read('nats/namespace.yaml');
    const [kustomization] = await read('nats/kustomization.yaml');
    expect(kustomization).toMatchObject({
      namespace: namespace?.metadata.name,
      resources: ['namespace.yaml', 'networkpolicy.yaml'],
    });
  });

  it.each(['mongodb', 'nats'])('lets only the product and the monitoring connect to %s', async (server) => {
    const [policy] = await read(`${server}/networkpolicy.yaml`);
    const check = await kubernetesCheck(KUBERNETES_VERSIONS[0]);
    expect(await check(policy as KubernetesObject)).toEqual([]);
    expect(policy?.spec).toMatchObject({ podSelector: {}, policyTypes: ['Ingress'] });
    // biome-ignore lint/suspicious/noExplicitAny: a rule of the policy, which the schema checked
    const peers = policy?.spec.ingress.flatMap(({ from }: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: a peer of the policy, which the schema checked
      from.map((peer: any) => peer.namespaceSelector?.matchLabels['kubernetes.io/metadata.name'] ?? server),
    );
    expect(peers).toEqual([server, 'maker', 'monitoring']);
  });

  it('makes the priority class that the production values name', async () => {
    const pods = podTemplates(await render({ files: filesOf(HARDENED), apis: OPTIONAL_APIS, values: OWN }));
    const named = pods.flatMap(({ spec }) => spec.priorityClassName ?? []);
    const made = (await read('priority-class.yaml')).map(({ metadata }) => metadata.name);
    expect([...new Set(named)]).toEqual(made);
  });

  it('has a chain for a local cluster that Kubernetes accepts', async () => {
    const check = await kubernetesCheck(KUBERNETES_VERSIONS[0]);
    const objects = await read('chain.yaml');
    expect((await Promise.all(objects.map(check))).flat()).toEqual([]);
    expect(podTemplates(objects)[0]?.spec.securityContext.runAsNonRoot).toBe(true);
  });

  it('lets Argo CD install the chart with the production values', async () => {
    const [application] = await read('argo-cd/application.yaml');
    const [chart] = application?.spec.sources ?? [];
    expect(chart).toMatchObject({ path: 'charts/hyperevm-maker-bot', helm: { releaseName: 'maker' } });
    expect(chart.helm.valueFiles).toEqual(HARDENED.map((name) => `$values/k8s/values/${name}.yaml`));
  });
});
