import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXCHANGES } from '@maker/chain';
import { ALL_SERVICES, SERVICES } from '@maker/local-stack';
import { describe, expect, it } from 'vitest';
import {
  EXAMPLES,
  KUBERNETES_VERSIONS,
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
/** In place of the examples, which the chart refuses. */
const OWN = {
  makerExecutor: { treasuryAddress: '0x1111111111111111111111111111111111111111', operatorKeys: OPERATORS },
};

const read = async (file: string) => parseObjects(await readFile(join(K8S, file), 'utf8'));

/** Secrets that objects name, wherever they name them. */
function secretsIn(text: string): string[] {
  const names = [...text.matchAll(/secretName: (\S+)|secretKeyRef:\s+name: (\S+)/g)];
  return [...new Set(names.map(([, mounted, referenced]) => mounted ?? referenced ?? ''))].sort();
}

/** Beside them what `npm run k8s:up` fills in. */
const FILLED_IN = { ...OWN, chain: { exchanges: [{ id: 'uniswap-v2', kind: 'uniswap-v2' }] } };

describe.each(['local', 'staging', 'production'])('k8s/values/%s.yaml', (name) => {
  it('renders to objects that Kubernetes takes', async () => {
    const files = [join(EXAMPLES, `${name}.yaml`)];
    const values = name === 'local' ? FILLED_IN : OWN;
    const objects = await render({ files, apis: OPTIONAL_APIS, values });
    expect(objects.filter(({ kind }) => kind === 'StatefulSet')).not.toEqual([]);
    const check = await kubernetesCheck(KUBERNETES_VERSIONS[0]);
    const own = objects.filter(({ apiVersion }) => !/coreos|gateway/.test(apiVersion));
    expect((await Promise.all(own.map(check))).flat()).toEqual([]);
  });
});

describe.each([
  ['staging', 998],
  ['production', 999],
])('k8s/values/%s.yaml', (name, chainId) => {
  const components = [...(name === 'production' ? ALL_SERVICES : SERVICES), 'site'];

  it.each(components)('gives %s a valid configuration', async (of) => {
    const objects = await render({ files: [join(EXAMPLES, `${name}.yaml`)], apis: OPTIONAL_APIS, values: OWN });
    const chosen = startsWith(of, environmentOf(objects, of));
    if (!('CHAIN_ID' in chosen)) return;
    const { CHAIN_ID, CHAIN_EXCHANGES_FILE, CHAIN_RPC_URLS, CHAIN_CONFIRMATIONS } = chosen as Record<string, unknown>;
    expect({ CHAIN_ID, CHAIN_EXCHANGES_FILE, CHAIN_CONFIRMATIONS }).toEqual({
      CHAIN_ID: chainId,
      CHAIN_CONFIRMATIONS: 1,
    });
    expect(CHAIN_RPC_URLS).toHaveLength(2);
    expect(EXCHANGES[chainId]?.map(({ id }) => id)).toContain('hyperswap-v3');
    if (ENVIRONMENTS[of]?.shape.HYPERCORE_API_URL)
      expect(chosen.HYPERCORE_API_URL).toMatch(/^https:\/\/api\.hyperliquid/);
  });
});

describe('k8s/external-secrets', () => {
  it('makes every Secret that the production values name', async () => {
    const made = (await read('external-secrets/external-secrets.yaml')).map(({ spec }) => spec.target.name);
    const rendered = await renderText({ files: [join(EXAMPLES, 'production.yaml')], apis: OPTIONAL_APIS, values: OWN });
    expect(secretsIn(rendered).filter((name) => !name.endsWith('-tls'))).toEqual(made.sort());
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
    expect(kustomization).toMatchObject({ namespace: namespace?.metadata.name, resources: ['namespace.yaml'] });
  });

  it('makes the priority class that the production values name', async () => {
    const pods = podTemplates(
      await render({ files: [join(EXAMPLES, 'production.yaml')], apis: OPTIONAL_APIS, values: OWN }),
    );
    const named = pods.flatMap(({ spec }) => spec.priorityClassName ?? []);
    const made = (await read('priority-class.yaml')).map(({ metadata }) => metadata.name);
    expect([...new Set(named)]).toEqual(made);
  });

  it('has a chain for a local cluster that Kubernetes takes', async () => {
    const check = await kubernetesCheck(KUBERNETES_VERSIONS[0]);
    const objects = await read('chain.yaml');
    expect((await Promise.all(objects.map(check))).flat()).toEqual([]);
    expect(podTemplates(objects)[0]?.spec.securityContext.runAsNonRoot).toBe(true);
  });

  it('lets Argo CD install the chart with the production values', async () => {
    const [application] = await read('argo-cd/application.yaml');
    const [chart] = application?.spec.sources ?? [];
    expect(chart).toMatchObject({ path: 'charts/hyperevm-maker-bot', helm: { releaseName: 'maker' } });
    expect(chart.helm.valueFiles).toEqual(['$values/k8s/values/production.yaml']);
  });
});
