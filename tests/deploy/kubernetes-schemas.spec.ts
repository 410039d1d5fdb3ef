import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import {
  PodMonitor,
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { AlertmanagerConfig } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1alpha1';
import { beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING, KUBERNETES_VERSIONS, type KubernetesObject, OPTIONAL_APIS, render } from './chart.ts';
import { kubernetesCheck } from './kubernetes-schemas.ts';

const CUSTOM = { AlertmanagerConfig, HTTPRoute, PodMonitor, PrometheusRule, ServiceMonitor };

const isCustom = ({ kind }: KubernetesObject): boolean => kind in CUSTOM;

describe.each(KUBERNETES_VERSIONS)('Kubernetes %s', (version) => {
  it('accepts every object, field by field', async () => {
    const check = await kubernetesCheck(version);
    for (const rendering of [{}, EVERYTHING]) {
      const objects = (await render({ ...rendering, kubernetes: version })).filter((object) => !isCustom(object));
      expect((await Promise.all(objects.map(check))).flat()).toEqual([]);
    }
  });

  it('refuses an unknown field', async () => {
    const check = await kubernetesCheck(version);
    const [service] = (await render()).filter(({ kind }) => kind === 'Service');
    const faulty = { ...service, spec: { ...service?.spec, clusterIp: 'None' } } as KubernetesObject;
    expect(await check(faulty)).not.toEqual([]);
  });
});

describe('the kinds of the Prometheus operator and the Gateway API', () => {
  let custom: KubernetesObject[];

  beforeAll(async () => {
    const pods = await render({ apis: OPTIONAL_APIS, values: { podMonitor: { enabled: true } } });
    custom = [...(await render(EVERYTHING)), ...pods].filter(isCustom);
  });

  it('exist only if the cluster has them', async () => {
    expect(new Set(custom.map(({ kind }) => kind))).toEqual(new Set(Object.keys(CUSTOM)));
    expect((await render()).filter(isCustom)).toEqual([]);
    // Kinds that values enable are refused.
    const { values = {} } = EVERYTHING;
    await expect(render({ values })).rejects.toMatchObject({
      stderr: expect.stringContaining('this cluster knows no'),
    });
  });

  it('match the schemas of their definitions', () => {
    for (const object of custom) {
      const Kind = CUSTOM[object.kind as keyof typeof CUSTOM];
      // biome-ignore lint/suspicious/noExplicitAny: the object is what is being checked
      expect(() => new Kind(object as any).validate(), `${object.kind} ${object.metadata.name}`).not.toThrow();
    }
  });
});
