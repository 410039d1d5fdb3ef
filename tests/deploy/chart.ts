import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { findTool } from '../../tools/go-tool.ts';

const run = promisify(execFile);

/** The chart's folder. */
export const CHART = fileURLToPath(new URL('../../charts/hyperevm-maker-bot', import.meta.url));

/** The platform's examples, `k8s/values/`. */
export const EXAMPLES = fileURLToPath(new URL('../../k8s/values', import.meta.url));

/** Kubernetes versions that the chart must support: the oldest and newest with support, and one between. */
export const KUBERNETES_VERSIONS = ['1.33', '1.35', '1.37'] as const;

/** APIs of a cluster with Gateway API and the Prometheus operator. */
export const OPTIONAL_APIS = [
  'gateway.networking.k8s.io/v1',
  'monitoring.coreos.com/v1',
  'monitoring.coreos.com/v1alpha1',
] as const;

/** A Kubernetes object as it was rendered. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own shape, which the Kubernetes schemas check
  readonly [field: string]: any;
}

/** Values of the chart, as in a values file. */
export type Values = Record<string, unknown>;

/** Number of values that a file sets; a list and an empty map count as one. */
export function leaves(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 1;
  const inner = Object.values(value);
  return inner.length === 0 ? 1 : inner.reduce((sum: number, one) => sum + leaves(one), 0);
}

/** Public keys of two operators. */
export const OPERATORS = {
  ana: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  ben: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
} as const;

/** The required values of an installation, with the platform's own servers. */
export const REQUIRED: Values = {
  hosts: { site: 'bot.example.com' },
  secrets: { keys: 'maker-keys' },
  mongodb: { url: 'mongodb://mongodb-0.mongodb.mongodb/?replicaSet=rs0' },
  nats: { url: ['nats://nats.nats:4222'] },
  chain: { id: 999 },
  rpc: { urls: ['https://rpc.example.com/evm', 'https://rpc.example.org/evm'] },
  treasury: '0x1111111111111111111111111111111111111111',
  makerExecutor: { operatorKeys: OPERATORS },
};

/** How to render a chart. */
export interface Rendering {
  /** Values on top of {@link REQUIRED}. */
  readonly values?: Values;
  /** Values instead of {@link REQUIRED}. */
  readonly required?: Values;
  /** Values files instead of {@link REQUIRED}. */
  readonly files?: readonly string[];
  readonly apis?: readonly string[];
  readonly kubernetes?: string;
  readonly chart?: string;
  readonly release?: string;
}

/** Runs a function with a file of values, which it deletes afterwards. */
export async function withValues<Result>(values: Values, use: (file: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-values-'));
  try {
    const file = join(folder, 'values.yaml');
    await writeFile(file, stringify(values));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Text of `helm template`. @throws Error with helm's message */
export async function renderText(rendering: Rendering = {}): Promise<string> {
  const helm = await findTool('helm');
  const {
    required: least = REQUIRED,
    files,
    values = {},
    apis = [],
    kubernetes = KUBERNETES_VERSIONS[1],
    chart = CHART,
    release = 'maker',
  } = rendering;
  return withValues(least, (required) =>
    withValues(values, async (own) => {
      const valueFiles = [...(files ?? [required]), own].flatMap((file) => ['--values', file]);
      const versions = ['--kube-version', kubernetes, ...apis.flatMap((api) => ['--api-versions', api])];
      const args = ['template', release, chart, '--namespace', 'maker', ...versions, ...valueFiles];
      const { stdout } = await run(helm, args, { maxBuffer: 64 * 1024 * 1024 });
      return stdout;
    }),
  );
}

/** The objects of a rendering, hooks included. */
export async function render(rendering: Rendering = {}): Promise<KubernetesObject[]> {
  return parseObjects(await renderText(rendering));
}

/** The objects in a stream of YAML documents. @throws YAMLParseError for an invalid document or a repeated key */
export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    for (const error of document.errors) throw error;
    const content: unknown = document.toJS();
    return content === null ? [] : [content as KubernetesObject];
  });
}

/** Values of an installation with webhooks. */
export const WEBHOOKS: Values = {
  webhookSender: {
    enabled: true,
    endpoints: { existingSecret: 'webhook-endpoints' },
  },
};

/** Values of an installation with a canary. */
export const CANARY: Values = {
  canary: {
    enabled: true,
    tokenAddress: '0x2222222222222222222222222222222222222222',
    apiKey: { existingSecret: 'canary-api-key' },
    wallet: { existingSecret: 'canary-wallet' },
  },
};

/** Values of a recovery, with the index that its survey found. */
export const RECOVERY: Values = {
  job: { firstWalletIndex: 1004 },
  ops: {
    recovery: {
      enabled: true,
      plan: { existingConfigMap: 'recovery-plan' },
      journal: { existingClaim: 'recovery-journal' },
      operator: 'ana',
      reason: 'the databases are lost',
    },
  },
};

/** Enables every toggle that adds objects. */
export const EVERYTHING: Rendering = {
  apis: OPTIONAL_APIS,
  values: {
    evaluation: { nats: { enabled: true }, mongodb: { enabled: true } },
    // Mainnet allows no servers of an evaluation.
    chain: { id: 31337, exchanges: [{ id: 'uniswap-v2', kind: 'uniswap-v2' }] },
    ...RECOVERY,
    ...WEBHOOKS,
    ...CANARY,
    preflight: { enabled: true },
    ingress: { enabled: true, tlsSecretName: 'bot-tls' },
    httpRoute: { parentRefs: [{ name: 'gateway' }] },
    networkPolicy: { chain: { keptBy: 'proxy' } },
    alertmanagerConfig: {
      enabled: true,
      receivers: {
        page: { pagerdutyConfigs: [{ routingKey: { name: 'pager', key: 'key' } }] },
        deadMansSwitch: { webhookConfigs: [{ url: 'https://heartbeat.example.com' }] },
      },
    },
    ...Object.fromEntries(
      ['apiGateway', 'tokenValidation', 'job', 'makerExecutor', 'receipts', 'site'].map((name) => [
        name,
        {
          ...(REQUIRED[name] as Values),
          ...(RECOVERY[name] as Values | undefined),
          autoscaling: { enabled: true },
          ...(name === 'apiGateway' ? { trustedProxies: ['10.0.0.0/8'] } : {}),
          ...(name === 'site' ? { configuration: { explorerUrl: '' } } : {}),
        },
      ]),
    ),
  },
};

/** A workload's pod template, or the pod itself. */
export interface PodTemplate {
  readonly component: string;
  readonly owner: KubernetesObject;
  readonly metadata: KubernetesObject['metadata'];
  // biome-ignore lint/suspicious/noExplicitAny: a PodSpec, which the Kubernetes schemas check
  readonly spec: any;
}

/** The pod templates in objects. */
export function podTemplates(objects: readonly KubernetesObject[]): PodTemplate[] {
  return objects
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Pod', 'Job', 'CronJob'].includes(kind))
    .map((owner) => {
      const template = owner.kind === 'Pod' ? owner : (owner.spec.jobTemplate?.spec ?? owner.spec).template;
      const component = template.metadata.labels['app.kubernetes.io/component'];
      return { component, owner, metadata: template.metadata, spec: template.spec };
    });
}
