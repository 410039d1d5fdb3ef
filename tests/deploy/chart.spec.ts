import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { findTool } from '../../tools/go-tool.ts';
import {
  CHART,
  EVERYTHING,
  KUBERNETES_VERSIONS,
  type KubernetesObject,
  leaves,
  parseObjects,
  podTemplates,
  RECOVERY,
  REQUIRED,
  type Rendering,
  render,
  renderText,
  type Values,
  WEBHOOKS,
  withValues,
} from './chart.ts';
import { chartDocuments } from './chart-documents.ts';

const run = promisify(execFile);

/** helm's message for wrong values on top of the required ones. */
async function refusal(values: Values, rendering: Rendering = {}): Promise<string> {
  const rendered = renderText({ ...rendering, values });
  return rendered.then(
    () => 'it was accepted',
    (error: unknown) => String((error as { stderr?: string }).stderr),
  );
}

// The first use builds them, which takes minutes.
beforeAll(() => Promise.all((['helm', 'helm-unittest', 'helm-docs', 'sloth'] as const).map(findTool)));

describe('the chart', () => {
  it.each(KUBERNETES_VERSIONS)('passes helm lint --strict for Kubernetes %s', async (version) => {
    const helm = await findTool('helm');
    const { stdout } = await withValues(REQUIRED, (values) =>
      run(helm, ['lint', '--strict', '--kube-version', version, '--values', values, CHART]),
    );
    expect(stdout).toContain('0 chart(s) failed');
    expect(stdout).not.toMatch(/\[(WARNING|ERROR)\]/);
  });

  it('passes its helm-unittest suites, one case for every toggle', async () => {
    const unittest = await findTool('helm-unittest');
    const suites = join('..', '..', 'tests', 'deploy', 'toggles', '*_test.yaml');
    const { stdout } = await run(unittest, ['--strict', '--file', suites, CHART]).catch((error: unknown) => {
      throw new Error((error as { stdout: string }).stdout);
    });
    const tests = /Tests:\s+(\d+) passed, (\d+) total/.exec(stdout);
    expect(Number(tests?.[1])).toBeGreaterThan(20);
    expect(tests?.[1]).toBe(tests?.[2]);
  });

  it('renders the same bytes twice', async () => {
    expect(await renderText(EVERYTHING)).toBe(await renderText(EVERYTHING));
  });

  it('holds no secret, and no Secret either', async () => {
    // The kubelet substitutes the password in a connection string.
    const text = (await renderText(EVERYTHING)) + (await renderText()).replaceAll('$(MONGO_PASSWORD)@', '');
    expect(parseObjects(text).filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(text).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY|xprv[a-zA-Z0-9]{20}|:\/\/[^\s/:]+:[^\s/@]+@/);
    expect(text).not.toMatch(/(password|mnemonic|api-?key|token|secret): ["']?[A-Za-z0-9+/=_-]{16,}/i);
  });

  it('has README and schema of values.yaml (npm run chart)', async () => {
    for (const [name, content] of Object.entries(await chartDocuments())) {
      expect(await readFile(join(CHART, name), 'utf8'), name).toBe(content);
    }
  });

  it('has at most 400 values', async () => {
    expect(leaves(parse(await readFile(join(CHART, 'values.yaml'), 'utf8')))).toBeLessThanOrEqual(400);
  });

  it('puts nothing outside its own namespace', async () => {
    const objects = await render(EVERYTHING);
    expect(objects.filter(({ metadata }) => metadata.namespace !== 'maker').map(({ kind }) => kind)).toEqual([]);
  });
});

describe('common values', () => {
  const everything = (values: Values) => render({ ...EVERYTHING, values: { ...EVERYTHING.values, ...values } });
  const without = (objects: readonly KubernetesObject[], has: (object: KubernetesObject) => boolean) =>
    objects.filter((object) => !has(object)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

  it('reaches every object, hooks and servers included', async () => {
    const objects = await everything({ commonLabels: { team: 'payments' }, commonAnnotations: { owner: 'sre' } });
    const has = ({ metadata: { labels, annotations } }: KubernetesObject) =>
      labels?.team === 'payments' && annotations?.owner === 'sre';
    expect(without(objects, has)).toEqual([]);
  });

  it('prefers the nearer of equal labels', async () => {
    const labels = { team: 'payments' };
    const objects = await everything({ commonLabels: labels, podDefaults: { podLabels: { team: 'platform' } } });
    const pods = podTemplates(objects);
    expect(
      pods.filter(({ metadata }) => metadata.labels?.team !== 'platform').map(({ component }) => component),
    ).toEqual([]);
    const inner = await render({
      values: {
        commonLabels: labels,
        podDefaults: { podLabels: { team: 'platform' } },
        site: { podLabels: { team: 'web' } },
      },
    });
    const site = podTemplates(inner).find(({ component }) => component === 'site');
    expect(site?.metadata.labels?.team).toBe('web');
  });

  it.each(['commonLabels', 'podDefaults.podLabels', 'job.podLabels'])('refuses a reserved label: %s', async (path) => {
    const own = { 'app.kubernetes.io/component': 'mine' };
    const values = path.split('.').reduceRight<Values>((inner, name) => ({ [name]: inner }), own);
    expect(await refusal(values)).toMatch(`${path}: app.kubernetes.io/component is the chart's own`);
  });

  it('reaches every Service, Deployment and StatefulSet', async () => {
    const objects = await everything({
      services: { annotations: { mirror: 'none' }, ipFamilyPolicy: 'PreferDualStack' },
      workloads: { annotations: { keel: 'force' }, revisionHistoryLimit: 3 },
    });
    const services = objects.filter(({ kind }) => kind === 'Service');
    expect(
      without(services, (one) => one.metadata.annotations?.mirror === 'none' && one.spec.ipFamilyPolicy !== undefined),
    ).toEqual([]);
    const workloads = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
    expect(
      without(workloads, (one) => one.metadata.annotations?.keel === 'force' && one.spec.revisionHistoryLimit === 3),
    ).toEqual([]);
  });

  it('reaches every pod', async () => {
    const pods = podTemplates(
      await everything({
        podDefaults: {
          podLabels: { mesh: 'none' },
          podAnnotations: { reloader: 'auto' },
          nodeSelector: { pool: 'general' },
          tolerations: [{ key: 'a', operator: 'Exists' }],
          priorityClassName: 'high',
          podSpec: { runtimeClassName: 'gvisor' },
        },
      }),
    );
    const bare = pods.filter(
      ({ metadata, spec }) =>
        metadata.labels?.mesh !== 'none' ||
        metadata.annotations?.reloader !== 'auto' ||
        spec.nodeSelector?.pool !== 'general' ||
        spec.tolerations?.[0]?.key !== 'a' ||
        spec.priorityClassName !== 'high' ||
        spec.runtimeClassName !== 'gvisor',
    );
    expect(bare.map(({ owner }) => `${owner.kind} ${owner.metadata.name}`)).toEqual([]);
  });
});

describe('invalid values', () => {
  it('are listed together on mainnet, where none is generated', async () => {
    const message = await refusal({ chain: { id: 999 } }, { files: [] });
    for (const value of ['nats.url', 'mongodb.url', 'rpc.urls', 'secrets.keys', 'treasury', 'hosts.site']) {
      expect(message).toContain(`- ${value}`);
    }
  });

  it.each([
    ['a typing error', { apiGateway: { replica: 3 } }],
    ['an unknown log level', { logLevel: 'verbose' }],
    ['a treasury that is no address', { treasury: '0x12' }],
    ['a tag where a digest belongs', { job: { image: { digest: 'latest' } } }],
    ['an RPC endpoint that is none', { rpc: { urls: ['ftp://x'] } }],
    ['NATS by HTTP', { nats: { url: ['http://nats:4222'] } }],
    ['MongoDB with a password in the URL', { mongodb: { url: 'mongodb://root:password@mongodb/?replicaSet=rs0' } }],
    ['MongoDB with a database in the URL', { mongodb: { url: 'mongodb://mongodb/maker?replicaSet=rs0' } }],
    ['a minimum below nothing', { minimumPaymentHype: '-1' }],
    ['memory that is no quantity', { job: { resources: { limits: { memory: 'lots' } } } }],
    ['an unknown kind of resources', { site: { resources: { limit: { memory: '1Gi' } } } }],
    ['a port that there is not', { networkPolicy: { chain: { ports: [70_000] } } }],
    ['a host with a scheme', { hosts: { api: 'https://api.example.com' } }],
    ['an origin with a path', { apiGateway: { corsOrigins: ['https://a.example/page'] } }],
    ['a time without a unit', { serviceMonitor: { interval: '15' } }],
    ['a Secret’s name that none has', { chain: { existingSecret: 'RPC_Endpoints' } }],
    ['a tag that is none', { image: { tag: 'v1 (new)' } }],
    ['a registry with a scheme', { image: { registry: 'https://ghcr.io' } }],
    ['one endpoint twice', { rpc: { urls: ['https://a.example', 'https://a.example'] } }],
    ['a network that is too small', { apiGateway: { trustedProxies: ['10.0.0.0/33'] } }],
    ['an address without a scheme', { site: { configuration: { apiBaseUrl: 'api.example.com' } } }],
    ['an explorer that is no address', { site: { configuration: { explorerUrl: 'explorer' } } }],
    ['runbooks without an address', { prometheusRule: { runbookBaseUrl: 'runbooks' } }],
    [
      'a pod in the node’s network, to which policies do not apply',
      { podDefaults: { podSpec: { hostNetwork: true } } },
    ],
    ['a pod that sees the node’s processes', { job: { podSpec: { hostPID: true } } }],
    ['a toleration with a typing error', { podDefaults: { tolerations: [{ keys: 'pool' }] } }],
    ['a variable without a name', { extraEnv: [{ value: 'x' }] }],
    ['a mount without a path', { job: { extraVolumeMounts: [{ name: 'ca' }] } }],
    ['an exchange without an id', { chain: { exchanges: [{ kind: 'uniswap-v2' }] } }],
    ['an operator’s name with a colon', { makerExecutor: { operatorKeys: { 'ana:b': 'A'.repeat(43) } } }],
    ['a value that a component does not use', { canary: { lifecycle: {} } }],
    ['a typing error in an inherited value', { job: { image: { digets: '' } } }],
    ['a name that no Service has', { fullnameOverride: 'my.bot' }],
    ['a name that no label has', { nameOverride: 'My Bot' }],
    ['a domain with spaces', { clusterDomain: 'cluster local' }],
    ['an alert’s unknown field', { prometheusRule: { alerts: { MakerNonceGap: { form: '5m' } } } }],
  ])('are refused by the schema: %s', async (_what, values) => {
    expect(await refusal(values as Values)).toMatch(/values don't meet the specifications of the schema/);
  });

  it('are listed for a recovery, the index first', async () => {
    const message = await refusal({ ops: { recovery: { enabled: true } } });
    for (const value of ['plan.existingConfigMap', 'journal.existingClaim', 'operator', 'reason']) {
      expect(message).toContain(`- ops.recovery.${value}`);
    }
    expect(message).toContain('- job.firstWalletIndex');
    expect(await refusal(RECOVERY)).toBe('it was accepted');
  });

  it('are named if webhooks lack them', async () => {
    const message = await refusal({ webhookSender: { enabled: true } });
    expect(message).toContain('- webhookSender.endpoints.existingSecret');
  });

  it('are refused if they contradict each other', async () => {
    expect(await refusal({ shutdownDrainMs: 60_000 })).toContain('terminationGracePeriodSeconds');
    expect(await refusal({ hosts: { site: '' }, ingress: { enabled: true } })).toContain('hosts.site');
    const sameOrigin = { site: 'bot.example', verify: 'bot.example' };
    expect(await refusal({ hosts: sameOrigin })).toContain('- hosts.verify: the same as hosts.site');
    const several = {
      chain: { id: 998, hyperCoreApiUrl: 'https://api.hyperliquid.xyz', rpcRequestsPerMinute: [100, 100, 100] },
      site: { configuration: { explorerUrl: 'https://hyperevmscan.io' } },
    };
    const message = await refusal(several);
    expect(message).toContain('- site.configuration.explorerUrl: the block explorer of chain 998');
    expect(message).toContain('- chain.hyperCoreApiUrl: https://api.hyperliquid.xyz is not the one of chain 998');
    expect(message).toContain('- chain.rpcRequestsPerMinute: has 3 places for 2 rpc.urls');
  });
});

describe('well-formed values that must be mistakes', () => {
  it.each([
    ['rpc.urls', { rpc: { urls: ['https://rpc.example.com:99999'] } }],
    ['nats.url', { nats: { url: ['nats://nats.nats:70000'] } }],
    ['minimumPaymentHype', { minimumPaymentHype: '0' }],
    ['minimumPaymentHype', { minimumPaymentHype: '1001' }],
    ['job.plan.executionWindowSeconds', { job: { plan: { executionWindowSeconds: 2_592_001 } } }],
    [
      'job.capacity.orderRequestsPerMinute',
      { chain: { rpcRequestsPerMinute: [100] }, job: { capacity: { orderRequestsPerMinute: 101 } } },
    ],
    ['apiGateway.autoscaling', { apiGateway: { autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 2 } } }],
    ['makerExecutor.autoscaling', { makerExecutor: { autoscaling: { enabled: true, minReplicas: 5 } } }],
    [
      'apiGateway.autoscaling.liveChannelsPerReplica',
      { apiGateway: { autoscaling: { enabled: true, liveChannelsPerReplica: 10_000 } } },
    ],
    [
      'autoscaling.prometheusAddress',
      { autoscaling: { by: 'keda' }, makerExecutor: { autoscaling: { enabled: true } } },
    ],
    [
      'site.autoscaling.metrics',
      { autoscaling: { by: 'keda' }, site: { autoscaling: { enabled: true, metrics: [{ type: 'Pods' }] } } },
    ],
    [
      'hosts.api',
      {
        hosts: { api: 'bot.example.com' },
        ingress: { enabled: true },
      },
    ],
    [
      'webhookSender.terminationGracePeriodSeconds',
      { webhookSender: { ...(WEBHOOKS.webhookSender as Values), terminationGracePeriodSeconds: 12 } },
    ],
  ])('are named: %s', async (value, values) => {
    expect(await refusal(values as Values)).toContain(`- ${value}: `);
  });
});

describe('a recovery', () => {
  const jobOf = async (values: Values) => (await render({ values })).find(({ kind }) => kind === 'Job');

  it('has valid arguments', async () => {
    const [container] = (await jobOf(RECOVERY))?.spec.template.spec.containers ?? [];
    const args = container.args.map((text: string) => text.replace('$(CHAIN_RPC_URLS)', container.env[0].value));
    const main = fileURLToPath(new URL('../../apps/ops/src/main.ts', import.meta.url));
    const called = run(process.execPath, ['--conditions=@maker/source', main, ...args]);
    await expect(called).rejects.toMatchObject({
      stderr: '✗ the plan /etc/maker/plan/plan.json cannot be read (ENOENT)\n',
    });
  });

  it('is one Job per plan', async () => {
    const name = async (values: Values = {}) => (await jobOf({ ...RECOVERY, ...values }))?.metadata.name;
    expect(await name()).toBe(await name({ logLevel: 'debug' }));
    expect(await name()).not.toBe(await name({ image: { tag: 'next' } }));
  });
});

describe('as a subchart', () => {
  it('renders under a conditional parent (helm #10392)', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'maker-parent-'));
    try {
      await mkdir(join(parent, 'charts'));
      await cp(CHART, join(parent, 'charts', 'hyperevm-maker-bot'), { recursive: true });
      const dependency = { name: 'hyperevm-maker-bot', version: '0.2.0', condition: 'hyperevm-maker-bot.enabled' };
      const chart = { apiVersion: 'v2', name: 'parent', version: '1.0.0', dependencies: [dependency] };
      await writeFile(join(parent, 'Chart.yaml'), stringify(chart));
      const values = join(parent, 'values.yaml');
      const own = { ...REQUIRED, enabled: true };
      await writeFile(values, stringify({ global: { region: 'eu' }, 'hyperevm-maker-bot': own }));
      const objects = await render({ chart: parent, files: [values] });
      const alone = await render();
      expect(objects.map(({ kind }) => kind).sort()).toEqual(alone.map(({ kind }) => kind).sort());
      const off = await render({
        chart: parent,
        files: [values],
        values: { 'hyperevm-maker-bot': { enabled: false } },
      });
      expect(off).toEqual([]);
    } finally {
      await rm(parent, { recursive: true, force: true });
    }
  });
});
