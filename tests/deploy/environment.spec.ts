import { clientConfigurationSchema } from '@maker/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { CANARY, type KubernetesObject, OPERATORS, REQUIRED, render, type Values, WEBHOOKS } from './chart.ts';
import { ENVIRONMENTS, environmentOf, startsWith } from './service-environments.ts';

/** Keep their defaults. */
const NOT_SET_BY_THE_CHART = ['LISTEN_HOST'];

const WITH_OPTIONS: Values = {
  chain: { exchanges: [{ id: 'uniswap-v2' }], rpcRequestsPerMinute: [100], hyperCoreApiUrl: 'https://api.example.com' },
  tracing: { enabled: true, endpoint: 'http://collector:4318', headers: { existingSecret: 'otlp-headers' } },
  ...CANARY,
  ...WEBHOOKS,
  makerExecutor: {
    seed: { passphrase: { existingSecret: 'seed-passphrase' } },
    operatorKeys: { ana: OPERATORS.ana },
  },
};

let objects: KubernetesObject[];
let withOptions: KubernetesObject[];

beforeAll(async () => {
  objects = await render({ values: { ...WEBHOOKS, ...CANARY } });
  withOptions = await render({ values: WITH_OPTIONS });
});

describe.each(Object.keys(ENVIRONMENTS))('the environment of %s', (component) => {
  const shape = ENVIRONMENTS[component]?.shape ?? {};

  it('is valid for the service', () => {
    expect(() => startsWith(component, environmentOf(objects, component))).not.toThrow();
  });

  it('names exactly the variables of the service', () => {
    const names = Object.keys(environmentOf(withOptions, component));
    const read = Object.keys(shape).filter((name) => !NOT_SET_BY_THE_CHART.includes(name));
    expect(names.sort()).toEqual(read.sort());
  });

  it('keeps the service’s own defaults without values', () => {
    const chosen = startsWith(component, environmentOf(objects, component));
    const optional = Object.entries(shape).filter(([, field]) => field.safeParse(undefined).success);
    const deliberate = [
      'MONGO_URL',
      'CORS_ORIGINS',
      'CHAIN_EXCHANGES_FILE',
      // The API of the chain.
      'HYPERCORE_API_URL',
      'NATS_PASSWORD_FILE',
      'API_KEY_FILE',
      'CHAIN_RPC_SHARE_PERCENT',
      // The executor's own, which is required.
      'TREASURY_ADDRESS',
      // Of the job service, where it is required.
      'JOB_AGREEMENT_SIGNERS',
      // Required.
      'MAKER_OPERATOR_KEYS',
      // From the RPC plan: without a limit two orders a second.
      'JOB_ORDER_REQUESTS_PER_MINUTE',
      // Depends on load balancers: only for components that have one.
      'SHUTDOWN_DRAIN_MS',
    ];
    for (const [name, field] of optional) {
      if (deliberate.includes(name)) continue;
      expect(chosen[name], name).toEqual(field.parse(undefined));
    }
  });
});

it('has at most fifty variables', () => {
  const names = new Set(Object.values(ENVIRONMENTS).flatMap(({ shape }) => Object.keys(shape)));
  expect(names.size).toBeLessThanOrEqual(50);
});

it('carries the values to the pods', async () => {
  const changed = await render({
    values: {
      logLevel: 'debug',
      apiGateway: { corsOrigins: ['https://a.example', 'https://b.example'], trustedProxies: ['10.0.0.0/8'] },
      job: {
        plan: { executionWindowSeconds: 604800 },
        capacity: { blockShareBps: 500 },
        extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/ca.crt' }],
      },
      extraEnv: [{ name: 'TZ', value: 'UTC' }],
    },
  });
  expect(environmentOf(changed, 'api-gateway')).toMatchObject({
    LOG_LEVEL: 'debug',
    CORS_ORIGINS: 'https://a.example,https://b.example',
    HTTP_TRUSTED_PROXIES: '10.0.0.0/8',
  });
  expect(environmentOf(changed, 'job')).toMatchObject({
    JOB_EXECUTION_WINDOW_SECONDS: '604800',
    JOB_BLOCK_SHARE_BPS: '500',
    NODE_EXTRA_CA_CERTS: '/ca.crt',
    TZ: 'UTC',
  });
});

it('gives each service its database', async () => {
  const evaluation = await render({
    values: {
      chain: { id: 998 },
      evaluation: { mongodb: { enabled: true } },
    },
  });
  const databases = ['api-gateway', 'token-validation', 'job', 'payment-watcher', 'maker-executor', 'receipts'].map(
    (component) => new URL(environmentOf(evaluation, component).MONGO_URL ?? '').pathname,
  );
  expect(databases).toEqual([
    '/api_gateway',
    '/token_validation',
    '/job',
    '/payment_watcher',
    '/maker_executor',
    '/receipts',
  ]);
});

it('gives browsers a valid /config.json', () => {
  const map = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-site'));
  const configuration = clientConfigurationSchema.parse({ apiKey: 'key', ...JSON.parse(map?.data['config.json']) });
  expect(configuration).toMatchObject({
    apiBaseUrl: 'https://api.bot.example.com',
    botWalletAddress: REQUIRED.treasury,
    minimumPayment: 0.25,
    paymentTimeoutMinutes: 15,
    chainId: 999,
  });
});

it('tells the site about earlier periods of the service', async () => {
  const settings = async (service: object) => {
    const changed = await render({ values: { site: { service } } });
    const map = changed.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-site'));
    return JSON.parse(map?.data['config.json']).service;
  };
  expect(await settings({})).toEqual({ earlierPeriods: [] });
  const address = `0x${'1'.repeat(40)}`;
  const service = {
    since: '2026-02-01T00:00:00.000Z',
    earlierPeriods: [{ treasury: address, agreementSigners: [address], from: null, to: '2026-02-01T01:00:00.000Z' }],
    identity: { address, signature: `0x${'2'.repeat(130)}` },
  };
  expect(await settings(service)).toEqual(service);
});

it('sets deadline and minimum once', async () => {
  const changed = await render({ values: { job: { paymentTimeoutSeconds: 1350 }, minimumPaymentHype: '0.5' } });
  const map = changed.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-site'));
  expect(JSON.parse(map?.data['config.json'])).toMatchObject({ paymentTimeoutMinutes: 22.5, minimumPayment: 0.5 });
  expect(environmentOf(changed, 'job')).toMatchObject({
    JOB_PAYMENT_TIMEOUT_SECONDS: '1350',
    MINIMUM_PAYMENT_HYPE: '0.5',
  });
});
