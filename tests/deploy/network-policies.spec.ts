import { beforeAll, expect, it } from 'vitest';
import { CANARY, EVERYTHING, type KubernetesObject, RECOVERY, render, WEBHOOKS } from './chart.ts';

interface Peer {
  podSelector?: { matchLabels?: Record<string, string>; matchExpressions?: { key: string; values: string[] }[] };
  namespaceSelector?: { matchLabels: Record<string, string> };
  ipBlock?: { cidr: string };
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports: { port: number | string }[];
}

const COMPONENT = 'app.kubernetes.io/component';
const NAMESPACE = 'kubernetes.io/metadata.name';

/** Names of a peer: components of the release, a namespace, or addresses. */
function namesOf(peer: Peer): string[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  if (ipBlock) return [ipBlock.cidr];
  const component = podSelector?.matchLabels?.[COMPONENT];
  const components = podSelector?.matchExpressions?.find(({ key }) => key === COMPONENT)?.values;
  if (namespaceSelector) return [`namespace ${namespaceSelector.matchLabels[NAMESPACE]}`];
  return components ?? [component ?? 'any pod'];
}

function policies(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects.filter(({ kind }) => kind === 'NetworkPolicy');
}

/** Every edge that the policies allow, as 'a → b:port', from the policies of one direction. */
function edges(objects: readonly KubernetesObject[], direction: 'ingress' | 'egress'): string[] {
  return policies(objects)
    .flatMap(({ spec }) => {
      const own = spec.podSelector.matchLabels[COMPONENT];
      return (spec[direction] ?? []).flatMap((rule: Rule) => {
        const peers = (direction === 'ingress' ? rule.from : rule.to)?.flatMap(namesOf) ?? ['anybody'];
        return peers.flatMap((peer) =>
          rule.ports.map(({ port }) =>
            direction === 'ingress' ? `${peer} → ${own}:${port}` : `${own} → ${peer}:${port}`,
          ),
        );
      });
    })
    .sort();
}

const withoutNames = (list: readonly string[]) => [...new Set(list)].filter((edge) => !edge.endsWith(':53'));

/** Addresses that a component's policy allows. */
const reachedFrom = (objects: readonly KubernetesObject[], component: string) =>
  withoutNames(edges(objects, 'egress')).filter((edge) => edge.includes(component));

/** Edges that a plain installation does not have. */
function additionalEdges(objects: readonly KubernetesObject[]): string[] {
  const usual = edges(external, 'ingress');
  return edges(objects, 'ingress').filter((edge) => !usual.includes(edge));
}

let external: KubernetesObject[];
let everything: KubernetesObject[];

beforeAll(async () => {
  external = await render();
  everything = await render(EVERYTHING);
});

it('lets the components reach exactly what design § 3 draws', () => {
  expect(withoutNames(edges(external, 'egress'))).toEqual(
    [
      'api-gateway → namespace mongodb:27017',
      'api-gateway → namespace nats:4222',
      'job → namespace mongodb:27017',
      'job → namespace nats:4222',
      'maker-executor → 0.0.0.0/0:443',
      'maker-executor → ::/0:443',
      'maker-executor → namespace mongodb:27017',
      'maker-executor → namespace nats:4222',
      'ops → api-gateway:http',
      'payment-watcher → 0.0.0.0/0:443',
      'payment-watcher → ::/0:443',
      'payment-watcher → namespace mongodb:27017',
      'payment-watcher → namespace nats:4222',
      'receipts → namespace mongodb:27017',
      'receipts → namespace nats:4222',
      'test → api-gateway:http',
      'token-validation → 0.0.0.0/0:443',
      'token-validation → ::/0:443',
      'token-validation → namespace mongodb:27017',
      'token-validation → namespace nats:4222',
    ].sort(),
  );
});

it('admits visitors, site traffic and Prometheus only', () => {
  expect(edges(external, 'ingress')).toEqual(
    [
      'anybody → api-gateway:http',
      'anybody → site:http',
      ...['api-gateway', 'job', 'maker-executor', 'payment-watcher', 'receipts', 'token-validation', 'site'].map(
        (component) => `namespace monitoring → ${component}:ops`,
      ),
    ].sort(),
  );
});

it('lets a recovery reach RPC endpoints only', async () => {
  const objects = await render({ values: RECOVERY });
  expect(reachedFrom(objects, 'recovery')).toEqual(['recovery → 0.0.0.0/0:443', 'recovery → ::/0:443']);
  expect(edges(objects, 'ingress')).toEqual(edges(external, 'ingress'));
});

it('lets a preflight reach RPC endpoints only', async () => {
  const objects = await render({ values: { preflight: { enabled: true } } });
  expect(reachedFrom(objects, 'preflight')).toEqual(['preflight → 0.0.0.0/0:443', 'preflight → ::/0:443']);
  expect(edges(objects, 'ingress')).toEqual(edges(external, 'ingress'));
});

it('lets the canary reach API and RPC endpoints', async () => {
  const objects = await render({ values: CANARY });
  expect(reachedFrom(objects, 'canary')).toEqual([
    'canary → 0.0.0.0/0:443',
    'canary → ::/0:443',
    'canary → api-gateway:http',
  ]);
  expect(additionalEdges(objects)).toEqual(['namespace monitoring → canary:ops']);
});

it('lets the canary into a narrowed API', async () => {
  const clients = [{ namespaceSelector: { matchLabels: { [NAMESPACE]: 'ingress-nginx' } } }];
  const narrowed = await render({ values: { ...CANARY, networkPolicy: { clients } } });
  const own = edges(narrowed, 'ingress').filter((edge) => edge.startsWith('canary'));
  expect(own).toEqual(['canary → api-gateway:http']);
});

it('lets the webhook sender reach public addresses only', async () => {
  const objects = await render({ values: WEBHOOKS });
  expect(reachedFrom(objects, 'webhook-sender')).toEqual([
    'webhook-sender → 0.0.0.0/0:443',
    'webhook-sender → ::/0:443',
    'webhook-sender → namespace mongodb:27017',
    'webhook-sender → namespace nats:4222',
  ]);
  expect(additionalEdges(objects)).toEqual(['namespace monitoring → webhook-sender:ops']);
  const [own] = policies(objects).filter(({ metadata }) => metadata.name.endsWith('webhook-sender'));
  const blocks = own?.spec.egress.flatMap(({ to }: Rule) => to ?? []).flatMap(({ ipBlock }: Peer) => ipBlock ?? []);
  expect(blocks[0].except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16']));
});

it('resolves names at the cluster DNS only', () => {
  const names = edges(external, 'egress').filter((edge) => edge.endsWith(':53'));
  expect([...new Set(names)]).toEqual(
    ['api-gateway', 'job', 'maker-executor', 'ops', 'payment-watcher', 'receipts', 'test', 'token-validation'].map(
      (component) => `${component} → namespace kube-system:53`,
    ),
  );
});

it('keeps RPC traffic out of private networks', () => {
  const [watcher] = policies(external).filter(({ metadata }) => metadata.name.endsWith('payment-watcher'));
  const blocks = watcher?.spec.egress.flatMap(({ to }: Rule) => to ?? []).flatMap(({ ipBlock }: Peer) => ipBlock ?? []);
  expect(blocks[0].except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16']));
});

it('opens evaluation servers to their users only', () => {
  const inside = edges(everything, 'ingress').filter((edge) => /→ (nats|mongodb):/.test(edge));
  expect(inside).toEqual(
    [
      ...[
        'api-gateway',
        'job',
        'maker-executor',
        'payment-watcher',
        'receipts',
        'token-validation',
        'webhook-sender',
      ].map((component) => `${component} → nats:client`),
      ...[
        'api-gateway',
        'job',
        'maker-executor',
        'mongodb',
        'payment-watcher',
        'receipts',
        'token-validation',
        'webhook-sender',
      ].map((component) => `${component} → mongodb:mongo`),
    ].sort(),
  );
  expect(edges(everything, 'egress').filter((edge) => /namespace (nats|mongodb)/.test(edge))).toEqual([]);
});

it('covers every pod in both directions', () => {
  for (const objects of [external, everything]) {
    const deny = policies(objects).find(({ metadata }) => metadata.name.endsWith('default-deny'));
    expect(deny?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(deny?.spec.podSelector.matchLabels).not.toHaveProperty(COMPONENT);
    for (const { spec } of policies(objects)) expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
  }
});

it('lets services send traces when configured', async () => {
  const tracing = { enabled: true, endpoint: 'http://collector.monitoring:4318' };
  const traced = edges(await render({ values: { tracing } }), 'egress').filter((edge) => edge.endsWith(':4318'));
  expect(traced).toEqual(
    ['api-gateway', 'job', 'maker-executor', 'payment-watcher', 'receipts', 'token-validation'].map(
      (component) => `${component} → namespace monitoring:4318`,
    ),
  );
});

it('routes chain traffic through its proxy only', () => {
  const around = withoutNames(edges(everything, 'egress')).filter((edge) => /egress-proxy|0\.0\.0\.0/.test(edge));
  expect(around).toEqual(
    [
      'egress-proxy → 0.0.0.0/0:443',
      'egress-proxy → ::/0:443',
      ...['canary', 'maker-executor', 'payment-watcher', 'recovery', 'token-validation'].map(
        (component) => `${component} → egress-proxy:proxy`,
      ),
      'preflight → 0.0.0.0/0:443',
      'webhook-sender → 0.0.0.0/0:443',
    ].sort(),
  );
  expect(edges(everything, 'ingress').filter((edge) => edge.endsWith('egress-proxy:proxy'))).toHaveLength(5);
});

it('leaves Cilium the only way out', async () => {
  const chain = { keptBy: 'cilium' };
  const objects = await render({ values: { networkPolicy: { chain } } });
  expect(edges(objects, 'egress').filter((edge) => /0\.0\.0\.0|::\/0/.test(edge))).toEqual([]);
  const dns = edges(objects, 'egress').filter((edge) => edge.endsWith(':53'));
  expect(dns.filter((edge) => /maker-executor|payment-watcher|token-validation/.test(edge))).toEqual([]);
});

it('opens the URLs’ ports by default', async () => {
  const objects = await render({
    values: {
      nats: { url: ['nats://nats.nats:4333', 'tls://other.nats'] },
      rpc: { urls: ['https://rpc.example.com:8443/key', 'http://node.example.com'] },
      tracing: { enabled: true, endpoint: 'https://otlp.example.com' },
    },
  });
  const ports = edges(objects, 'egress').flatMap((edge) => /^maker-executor → .*:(\d+)$/.exec(edge)?.[1] ?? []);
  expect([...new Set(ports)].sort()).toEqual(['27017', '4222', '4333', '443', '53', '80', '8443']);
});

it('opens pod ports behind Services', async () => {
  const nats = { url: ['nats://nats.nats:80'] };
  const objects = await render({ values: { nats, networkPolicy: { nats: { port: 4222 }, chain: { ports: [8545] } } } });
  const own = edges(objects, 'egress').filter((edge) => edge.startsWith('payment-watcher'));
  expect(own.join()).toMatch(/namespace nats:4222.*|0\.0\.0\.0\/0:8545/);
  expect(own.join()).not.toMatch(/nats:80|:443/);
});

it('narrows visitors and admits `helm test`', async () => {
  const clients = [{ namespaceSelector: { matchLabels: { [NAMESPACE]: 'ingress-nginx' } } }];
  const narrowed = await render({ values: { networkPolicy: { clients } } });
  expect(edges(narrowed, 'ingress').filter((edge) => edge.endsWith(':http'))).toEqual([
    'namespace ingress-nginx → api-gateway:http',
    'namespace ingress-nginx → site:http',
    'ops → api-gateway:http',
    'test → api-gateway:http',
    'test → site:http',
  ]);
});
