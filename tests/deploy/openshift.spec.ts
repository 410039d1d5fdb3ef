import { beforeAll, describe, expect, it } from 'vitest';
import { findTool } from '../../tools/go-tool.ts';
import { type KubernetesObject, render } from './chart.ts';

// The first use builds it, which takes minutes.
beforeAll(() => findTool('helm'));

interface Rule {
  readonly to?: readonly { readonly namespaceSelector?: { readonly matchLabels: Record<string, string> } }[];
  readonly ports?: readonly { readonly port: number | string }[];
}

const DNS_PORTS = [53, 5353];
const namespacesOf = ({ to = [] }: Rule) =>
  to.map(({ namespaceSelector }) => namespaceSelector?.matchLabels['kubernetes.io/metadata.name']);

/** Rules of an egress policy that reach the DNS of OpenShift. */
function dnsRules(objects: readonly KubernetesObject[]): Rule[] {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const rules: Rule[] = policies.flatMap(({ spec }) => spec.egress ?? []);
  return rules.filter((rule) => namespacesOf(rule).includes('openshift-dns'));
}

describe('on OpenShift', () => {
  it('lets pods reach the DNS at port 5353', async () => {
    const rules = dnsRules(await render({ values: { openshift: true } }));
    expect(rules.length).toBeGreaterThan(3);
    for (const { ports = [] } of rules) {
      expect([...new Set(ports.map(({ port }) => port))]).toEqual(DNS_PORTS);
    }
  });
});

it('lets Cilium’s policies reach the DNS at port 5353', async () => {
  const chain = { keptBy: 'cilium' };
  const objects = await render({ values: { openshift: true, networkPolicy: { chain } } });
  const policies = objects.filter(({ kind }) => kind === 'CiliumNetworkPolicy');
  expect(policies.length).toBeGreaterThan(2);
  for (const { spec } of policies) {
    const { toEndpoints, toPorts } = spec.egress[0];
    const ports = toPorts[0].ports.map(({ port }: { port: string }) => Number(port));
    expect(ports).toEqual(DNS_PORTS);
    expect(JSON.stringify(toEndpoints)).toContain('openshift-dns');
  }
});

it('gives the egress proxy further rules', async () => {
  const own = { to: [{ ipBlock: { cidr: '203.0.113.7/32' } }], ports: [{ protocol: 'TCP', port: 8443 }] };
  const objects = await render({
    values: {
      networkPolicy: { chain: { keptBy: 'proxy' } },
      egressProxy: { networkPolicy: { extraEgress: [own] } },
    },
  });
  const proxy = objects.find(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.endsWith('egress-proxy'),
  );
  expect(proxy?.spec.egress).toContainEqual(own);
});
