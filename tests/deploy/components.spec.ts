import { beforeAll, describe, expect, it } from 'vitest';
import { type KubernetesObject, render, type Values } from './chart.ts';

/** The components that always run, by their values. */
const COMPONENTS: Readonly<Record<string, string>> = {
  apiGateway: 'api-gateway',
  tokenValidation: 'token-validation',
  job: 'job',
  paymentWatcher: 'payment-watcher',
  makerExecutor: 'maker-executor',
  receipts: 'receipts',
  site: 'site',
};
/** One pod is enough to sign: a second takes over by its lease. */
const WITHOUT_BUDGET = 'maker-executor';

const NAMES = Object.values(COMPONENTS).sort();
const BUDGETED = NAMES.filter((name) => name !== WITHOUT_BUDGET);

const componentOf = ({ metadata }: KubernetesObject) => metadata.labels?.['app.kubernetes.io/component'] ?? '';

const renderEach = (values: Values) =>
  render({ values: Object.fromEntries(Object.keys(COMPONENTS).map((name) => [name, values])) });

const ofKind = (objects: readonly KubernetesObject[], ...kinds: string[]) =>
  objects
    .filter(({ kind }) => kinds.includes(kind))
    .sort((one, other) => componentOf(one).localeCompare(componentOf(other)));

describe('components', () => {
  let usual: KubernetesObject[];

  beforeAll(async () => {
    usual = await render();
  });

  it('make nothing when they are off', async () => {
    const off = (await renderEach({ enabled: false })).map(componentOf);
    expect(usual.map(componentOf)).toEqual(expect.arrayContaining(NAMES));
    expect(NAMES.filter((name) => off.includes(name))).toEqual([]);
  });

  it('leave out the webhook sender unless it is on', () => {
    expect(usual.map(componentOf)).not.toContain('webhook-sender');
  });

  it('have the replicas that you set, and no autoscaler', async () => {
    const objects = await renderEach({ replicas: 5 });
    const workloads = ofKind(objects, 'Deployment').filter((one) => NAMES.includes(componentOf(one)));
    expect(workloads.map((one) => [componentOf(one), one.spec.replicas])).toEqual(NAMES.map((name) => [name, 5]));
    expect(ofKind(objects, 'HorizontalPodAutoscaler')).toEqual([]);
  });

  it('allow a drain one pod at a time', () => {
    const budgets = ofKind(usual, 'PodDisruptionBudget').map(({ spec }) => [
      spec.selector.matchLabels['app.kubernetes.io/component'],
      spec.maxUnavailable,
    ]);
    expect(budgets).toEqual(BUDGETED.map((name) => [name, 1]));
  });

  it('block no drain with one replica', async () => {
    expect(ofKind(await renderEach({ replicas: 1 }), 'PodDisruptionBudget')).toEqual([]);
  });
});
