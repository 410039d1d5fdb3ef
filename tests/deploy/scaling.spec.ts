import { readFile } from 'node:fs/promises';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type KubernetesObject, REQUIRED, render, type Values } from './chart.ts';
import { expectKnownSeries } from './observability/known-series.ts';

const ADAPTER = new URL('../../k8s/prometheus-adapter/values.yaml', import.meta.url);
const PROMETHEUS = 'http://prometheus-operated.monitoring:9090';

/** Values that scale every component by every metric. */
function scaled(by: 'hpa' | 'keda'): Values {
  const autoscaling = { enabled: true, maxReplicas: 8 };
  const component = (name: string, more: Values = {}) => [
    name,
    { ...(REQUIRED[name] as Values), autoscaling: { ...autoscaling, ...more } },
  ];
  return {
    autoscaling: { by, prometheusAddress: PROMETHEUS },
    ...Object.fromEntries([
      component('apiGateway', { liveChannelsPerReplica: 700 }),
      component('makerExecutor', { executionsPerReplica: 200, overdueSeconds: 90 }),
      ...['tokenValidation', 'job', 'receipts', 'site'].map((name) => component(name)),
    ]),
  };
}

interface Measure {
  readonly name: string;
  readonly type: string;
  readonly target: string;
}

const componentOf = ({ metadata }: KubernetesObject) => metadata.labels?.['app.kubernetes.io/component'] ?? '';

let pods: KubernetesObject[];
let keda: KubernetesObject[];
let all: KubernetesObject[];

beforeAll(async () => {
  all = await render({ values: scaled('hpa') });
  pods = all.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
  const withKeda = await render({ values: scaled('keda') });
  keda = withKeda.filter(({ kind }) => kind === 'ScaledObject');
  expect(withKeda.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toEqual([]);
});

describe('gateways scaled by live channels, executors by overdue work', () => {
  const WANTED: Readonly<Record<string, readonly Measure[]>> = {
    'api-gateway': [{ name: 'maker_live_channels', type: 'AverageValue', target: '700' }],
    'maker-executor': [
      { name: 'maker_active_executions', type: 'AverageValue', target: '200' },
      { name: 'maker_work_overdue_seconds', type: 'Value', target: '90' },
    ],
    'token-validation': [],
    job: [],
    receipts: [],
    site: [],
  };

  it('are scaled by HorizontalPodAutoscalers', () => {
    const found = pods.map((one) => [
      componentOf(one),
      one.spec.metrics
        .filter(({ type }: { type: string }) => type === 'External')
        // biome-ignore lint/suspicious/noExplicitAny: a metric of autoscaling/v2
        .map(({ external: { metric, target } }: any) => ({
          name: metric.name,
          type: target.type,
          target: target.value ?? target.averageValue,
        })),
    ]);
    expect(Object.fromEntries(found)).toEqual(WANTED);
  });

  it('are scaled by KEDA equally', () => {
    const found = keda.map((one) => [
      componentOf(one),
      one.spec.triggers
        .filter(({ type }: { type: string }) => type === 'prometheus')
        // biome-ignore lint/suspicious/noExplicitAny: a trigger of KEDA
        .map(({ name, metricType, metadata }: any) => ({ name, type: metricType, target: metadata.threshold })),
    ]);
    expect(Object.fromEntries(found)).toEqual(WANTED);
  });

  it.each(['hpa', 'keda'] as const)('%s: scales an existing workload without replicas', (by) => {
    const targets = (by === 'hpa' ? pods : keda).map(({ spec }) => spec.scaleTargetRef);
    expect(targets).toHaveLength(6);
    for (const { kind, name } of targets) {
      const workload = all.find((one) => one.kind === kind && one.metadata.name === name);
      expect(workload, name).toBeDefined();
      expect(workload?.spec.replicas, name).toBeUndefined();
    }
  });
});

describe('the queries', () => {
  it('of KEDA are those of prometheus-adapter, of series that exist', async () => {
    const { rules } = parse(await readFile(ADAPTER, 'utf8'));
    const adapted = rules.external.map((rule: { name: { as: string }; metricsQuery: string; seriesQuery: string }) => {
      expect(rule.metricsQuery).toContain(rule.seriesQuery);
      return [rule.name.as, rule.metricsQuery.replace('<<.LabelMatchers>>', 'namespace="maker"')];
    });
    const asked = keda.flatMap(({ spec }) =>
      spec.triggers
        .filter(({ type }: { type: string }) => type === 'prometheus')
        // biome-ignore lint/suspicious/noExplicitAny: a trigger of KEDA
        .map(({ name, metadata }: any) => {
          expect(metadata.serverAddress).toBe(PROMETHEUS);
          expectKnownSeries(metadata.query);
          return [name, metadata.query];
        }),
    );
    expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(adapted));
    expect(asked).toHaveLength(3);
  });

  it('are in ScaledObjects that match the schema of their definition', () => {
    for (const object of keda) {
      // biome-ignore lint/suspicious/noExplicitAny: the object is what is being checked
      expect(() => new ScaledObject(object as any).validate(), object.metadata.name).not.toThrow();
    }
  });
});
