import { SERVICES } from '@maker/local-stack';
import { beforeAll, describe, expect, it } from 'vitest';
import { findTool } from '../../tools/go-tool.ts';
import { type KubernetesObject, podTemplates, render, renderText } from './chart.ts';
import { kubernetesCheck } from './kubernetes-schemas.ts';
import { environmentOf, startsWith } from './service-environments.ts';

/** The two values of the line that installs an evaluation. */
const TWO_VALUES = {
  treasury: '0x1111111111111111111111111111111111111111',
  rpc: { urls: ['https://rpc.hyperliquid-testnet.xyz/evm'] },
};
const KEYS = 'maker-hyperevm-maker-bot-keys';

let objects: KubernetesObject[];
// The first use builds helm, which takes minutes.
beforeAll(async () => {
  await findTool('helm');
  objects = await render({ required: TWO_VALUES });
});

const named = (kind: string, end: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name.endsWith(end));

describe('an installation with two values', () => {
  it('uses the testnet, its explorer and embedded servers', () => {
    const config = JSON.parse(named('ConfigMap', '-site')?.data['config.json']);
    expect(config).toMatchObject({
      chainId: 998,
      explorerUrl: 'https://testnet.purrsec.com',
      apiBaseUrl: 'http://localhost:8081',
      botWalletAddress: TWO_VALUES.treasury,
    });
    expect(environmentOf(objects, 'api-gateway').CORS_ORIGINS).toBe('http://localhost:8080');
    expect(named('StatefulSet', '-mongodb')).toBeDefined();
    expect(named('StatefulSet', '-nats')).toBeDefined();
  });

  it('reads every key from the Secret that the hook makes', () => {
    const pods = podTemplates(objects);
    const volumes = pods.flatMap(({ spec }) => spec.volumes ?? []);
    const mounted = volumes.flatMap(({ secret }) => (secret ? [secret.secretName] : []));
    const text = JSON.stringify(pods.map(({ spec }) => spec));
    const referenced = [...text.matchAll(/"secretKeyRef":\{"name":"([^"]*)"/g)].map(([, name]) => name);
    expect(mounted.length).toBeGreaterThan(3);
    expect([...new Set([...mounted, ...referenced])]).toEqual([KEYS]);
  });

  it('makes the keys first, and may read only that Secret', () => {
    const role = named('Role', '-make-keys');
    expect(role?.rules[0]).toEqual({ apiGroups: [''], resources: ['secrets'], resourceNames: [KEYS], verbs: ['get'] });
    for (const kind of ['ServiceAccount', 'Role', 'RoleBinding', 'Job']) {
      expect(named(kind, '-make-keys')?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install' });
    }
  });

  it.each(SERVICES)('gives %s a valid configuration', (service) => {
    expect(() => startsWith(service, environmentOf(objects, service))).not.toThrow();
  });

  it('renders to objects that Kubernetes accepts', async () => {
    const check = await kubernetesCheck('1.35');
    expect((await Promise.all(objects.map(check))).flat()).toEqual([]);
  });

  it('has a pod for an operator’s commands', () => {
    const pod = podTemplates(objects).find(({ component }) => component === 'ops');
    expect(pod?.owner.metadata.name).toBe('maker-ops');
    const environment = Object.fromEntries(pod?.spec.containers[0].env.map(({ name, value }: never) => [name, value]));
    expect(environment).toMatchObject({
      PATH: '/opt/ops:/app',
      OPS_API_URL: 'http://maker-hyperevm-maker-bot-api-gateway',
      OPS_OPERATOR: 'evaluator',
    });
  });

  it('is refused on mainnet with each missing value', async () => {
    const refused = renderText({ required: TWO_VALUES, values: { chain: { id: 999 } } });
    await expect(refused).rejects.toMatchObject({
      stderr: expect.stringMatching(/nats\.url: [\s\S]*mongodb\.url: [\s\S]*secrets\.keys: /),
    });
  });
});

it('reads all keys from the one Secret that you name', async () => {
  const own = await render();
  expect(podTemplates(own).some(({ component }) => component === 'ops')).toBe(true);
  expect(own.some(({ kind }) => kind === 'Role')).toBe(false);
});
