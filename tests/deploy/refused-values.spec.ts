import { beforeAll, describe, expect, it } from 'vitest';
import { findTool } from '../../tools/go-tool.ts';
import { OPERATORS, OPTIONAL_APIS, REQUIRED, type Rendering, renderText, type Values, WEBHOOKS } from './chart.ts';

// The first use builds it, which takes minutes.
beforeAll(() => findTool('helm'));

const treasury = (address: string): Values => ({ treasury: address });
const operators = (operatorKeys: Values): Values => ({ makerExecutor: { operatorKeys } });
const requiring = (operatorKeys: Values): Rendering => ({
  required: { ...REQUIRED, makerExecutor: { ...(REQUIRED.makerExecutor as Values), operatorKeys } },
});
const ONE_HOST = { urls: ['https://rpc.example.com/evm'] };
const ASKS_NO_CHAIN = Object.fromEntries(
  ['tokenValidation', 'paymentWatcher', 'makerExecutor'].map((name) => [name, { enabled: false }]),
);
const PROXIES = ['10.0.0.0/8'];

/** The fault, the values, and the sentence that helm must print. */
const REFUSED: readonly (readonly [string, Values, string, Rendering?])[] = [
  ...['1stbot', 'my.bot'].map(
    (release) =>
      [
        `the release name ${release}`,
        {},
        `fullnameOverride: Kubernetes refuses a Service named ${release}-hyperevm-maker-bot; set a name of a-z, 0-9 and -, which begins with a letter`,
        { release },
      ] as const,
  ),
  ...['0.0.0.0/0', '::/0', '0.0.0.0/1'].map(
    (network) =>
      [
        `everyone as a trusted proxy, ${network}`,
        { apiGateway: { trustedProxies: [network] } },
        `apiGateway.trustedProxies: ${network} lets clients choose their own address by X-Forwarded-For, and with it their rate limit; set the networks of your proxies`,
      ] as const,
  ),
  ...[
    ['100%', '100%'],
    [2, '2'],
    [3, '3'],
  ].map(
    ([minAvailable, shown]) =>
      [
        `${shown} of two pods that must stay`,
        { site: { podDisruptionBudget: { minAvailable } } },
        `site.podDisruptionBudget.minAvailable: ${shown} blocks the drain of a node forever; set less than the 2 replicas`,
      ] as const,
  ),
  [
    'a Gateway without a name',
    { httpRoute: { parentRefs: [{ namespace: 'gateways' }] }, apiGateway: { trustedProxies: PROXIES } },
    'httpRoute.parentRefs: names no Gateway; set `name` in each entry',
    { apis: OPTIONAL_APIS },
  ],
  [
    'a thousand confirmations',
    { chain: { confirmations: 1000 } },
    'chain.confirmations: 1000 lets each payment and order wait for as many blocks; set at most 100',
  ],
  [
    'a year to pay in',
    { job: { paymentTimeoutSeconds: 31_536_000 } },
    'job.paymentTimeoutSeconds: 31536000 keeps the place of an unpaid job for more than a week; set at most 604800',
  ],
  [
    'a second for all orders',
    { job: { plan: { executionWindowSeconds: 1 } } },
    "job.plan.executionWindowSeconds: 1 is too short for a job's orders; set at least 60",
  ],
  [
    'a minimum just below the most',
    { minimumPaymentHype: '999' },
    'minimumPaymentHype: 999 leaves visitors hardly a choice below 1000, which is the most that a job takes; set at most 100',
  ],
  [
    'a request of memory above its limit',
    { job: { resources: { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } } } },
    'job.resources.requests.memory: 1Gi is above the limit of 512Mi; request at most the limit',
  ],
  [
    'a request of CPU above its limit',
    { site: { resources: { requests: { cpu: 2 }, limits: { cpu: '500m' } } } },
    'site.resources.requests.cpu: 2 is above the limit of 500m; request at most the limit',
  ],
  [
    'a tag that moves',
    { image: { tag: 'latest' } },
    'image.tag: latest names another image at each release; set a version, or a digest',
  ],
  [
    'a tag of a component that moves',
    { job: { image: { tag: 'latest' } } },
    'job.image.tag: latest names another image at each release; set a version, or a digest',
  ],
  [
    'MongoDB without a replica set',
    { mongodb: { url: 'mongodb://mongodb.mongodb' } },
    'mongodb.url: mongodb://mongodb.mongodb names no replica set, which transactions need; add ?replicaSet= and its name',
  ],
  ...['dns.to', 'metrics.from', 'nats.to', 'mongo.to', 'chain.to', 'tracing.to'].map((path) => {
    const [rule = '', side = ''] = path.split('.');
    return [
      `a policy without peers, ${path}`,
      { networkPolicy: { [rule]: { [side]: [] } } },
      `networkPolicy.${path}: is empty, which Kubernetes takes for every address; name the peers`,
    ] as const;
  }),
  ...(['to', 'ports'] as const).map(
    (side) =>
      [
        `webhooks without ${side}`,
        { webhookSender: { ...(WEBHOOKS.webhookSender as Values), networkPolicy: { [side]: [] } } },
        side === 'to'
          ? 'webhookSender.networkPolicy.to: is empty, which Kubernetes takes for every address; name the networks of your endpoints'
          : 'webhookSender.networkPolicy.ports: is empty, which Kubernetes takes for every port; name the ports of your endpoints',
      ] as const,
  ),
  [
    'two families for one',
    { services: { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv6', 'IPv4'] } },
    'services.ipFamilies: names two families, and services.ipFamilyPolicy: SingleStack takes one; name one',
  ],
  [
    'no operator’s key',
    {},
    'makerExecutor.operatorKeys: is empty, so no operator can cancel, return, release or resume; set the public key of each operator, made by `ops new-key`',
    requiring({}),
  ],
  [
    'one operator on mainnet',
    { chain: { id: 999 } },
    'makerExecutor.operatorKeys: names one operator, and releasing held money takes two; add a second',
    requiring({ ana: OPERATORS.ana }),
  ],
  [
    'an example key',
    operators({ ana: 'A'.repeat(43) }),
    'makerExecutor.operatorKeys.ana: is the example; set the public key that `ops new-key` printed',
  ],
  [
    'one key for two operators',
    operators({ ben: OPERATORS.ana }),
    'makerExecutor.operatorKeys.ben: is the key of ana; let each operator make their own by `ops new-key`',
  ],
  [
    'the example treasury',
    treasury(`0x${'4'.repeat(40)}`),
    `treasury: 0x${'4'.repeat(40)} is the example; set an address that you have the key of`,
  ],
  [
    'a treasury without a key',
    treasury('0x000000000000000000000000000000000000dEaD'),
    'treasury: no one has the key of 0x000000000000000000000000000000000000dEaD, the fee would be lost; set an address that you have the key of',
  ],
  [
    'a precompile as treasury',
    treasury(`0x${'0'.repeat(37)}800`),
    `treasury: no one has the key of 0x${'0'.repeat(37)}800, the fee would be lost; set an address that you have the key of`,
  ],
  [
    'the bridge to HyperCore as treasury',
    treasury(`0x${'2'.repeat(40)}`),
    `treasury: 0x${'2'.repeat(40)} is the bridge to HyperCore, which credits the sender; set an address that you have the key of`,
  ],
  [
    'wrapped HYPE as treasury',
    treasury(`0x${'5'.repeat(40)}`),
    `treasury: 0x${'5'.repeat(40)} is the contract of wrapped HYPE; set an address that you have the key of`,
  ],
  [
    'Ethereum without exchanges',
    { chain: { id: 1 } },
    'chain.id: 1 has no exchanges built in; set 999 (HyperEVM) or 998 (testnet), or list its exchanges in chain.exchanges',
  ],
  [
    'an unknown chain without exchanges',
    { chain: { id: 99 } },
    'chain.id: 99 has no exchanges built in; set 999 (HyperEVM) or 998 (testnet), or list its exchanges in chain.exchanges',
  ],
  [
    'the testnet’s endpoint on mainnet',
    { rpc: { urls: ['https://rpc.hyperliquid-testnet.xyz/evm'] } },
    'rpc.urls: https://rpc.hyperliquid-testnet.xyz/evm is an endpoint of chain 998; set endpoints of chain 999',
  ],
  [
    'mainnet’s endpoint on the testnet',
    {
      chain: { id: 998 },
      rpc: { urls: ['https://rpc.hyperliquid.xyz/evm'] },
      site: { configuration: { explorerUrl: '' } },
    },
    'rpc.urls: https://rpc.hyperliquid.xyz/evm is an endpoint of chain 999; set endpoints of chain 998',
  ],
  [
    'one host of RPC endpoints',
    { rpc: { urls: ['https://rpc.example.com/evm', 'https://rpc.example.com/key'] } },
    'rpc.urls: names one host, and no second one confirms a payer and a price; add an endpoint of another provider, or set paymentWatcher.trustSingleEndpoint: true',
  ],
  [
    'two ports of one host as RPC endpoints',
    { rpc: { urls: ['https://rpc.example.com/evm', 'https://RPC.example.com.:8443/evm'] } },
    'rpc.urls: names one host, and no second one confirms a payer and a price; add an endpoint of another provider, or set paymentWatcher.trustSingleEndpoint: true',
  ],
  ...['apiGateway', 'tokenValidation', 'job', 'paymentWatcher', 'makerExecutor', 'site'].map(
    (name) =>
      [
        `no replica of ${name}`,
        { [name]: { replicas: 0 } },
        `${name}.replicas: 0 stops the product for everybody; set at least 1, or ${name}.enabled: false where another release runs it`,
      ] as const,
  ),
  [
    'an HTTPRoute in a cluster without Gateway API',
    { httpRoute: { parentRefs: [{ name: 'gateway' }] }, apiGateway: { trustedProxies: PROXIES } },
    'httpRoute.parentRefs: this cluster knows no gateway.networking.k8s.io/v1; install the Gateway API, or use ingress.enabled',
  ],
  [
    'pages in a cluster without the Prometheus operator',
    {
      alertmanagerConfig: {
        enabled: true,
        receivers: { page: { webhookConfigs: [{}] }, deadMansSwitch: { webhookConfigs: [{}] } },
      },
    },
    'alertmanagerConfig.enabled: this cluster knows no monitoring.coreos.com/v1alpha1; install the Prometheus operator, or use k8s/alertmanager/alertmanager.yaml',
  ],
  [
    'a PodMonitor in a cluster without the Prometheus operator',
    { podMonitor: { enabled: true } },
    'podMonitor.enabled: this cluster knows no monitoring.coreos.com/v1; install the Prometheus operator, or set podMonitor.enabled: false',
  ],
  [
    'a database without backups on mainnet',
    { chain: { id: 999 }, evaluation: { mongodb: { enabled: true } } },
    'evaluation.mongodb.enabled: keeps the record of real money without a copy; set mongodb.url, or chain.id: 998',
  ],
  [
    'a broker without a copy on mainnet',
    { chain: { id: 999 }, evaluation: { nats: { enabled: true } } },
    'evaluation.nats.enabled: is one server without passwords; set nats.url, or chain.id: 998',
  ],
  [
    'no time to pay',
    { job: { paymentTimeoutSeconds: 5 } },
    'job.paymentTimeoutSeconds: 5 is too short to pay in, every payment would be late; set at least 60',
  ],
  [
    'more than the RPC plan',
    { makerExecutor: { rpcSharePercent: 50 } },
    'makerExecutor.rpcSharePercent: with tokenValidation and paymentWatcher 136 % of the RPC plan are given away; keep the sum at 100 or below',
  ],
  [
    'all visitors as one client behind an ingress',
    { ingress: { enabled: true }, apiGateway: { trustedProxies: [] } },
    'apiGateway.trustedProxies: is empty, so all visitors behind your ingress share the limits of one client; set the networks of your proxies',
  ],
  [
    'a budget that blocks every drain',
    { job: { podDisruptionBudget: { maxUnavailable: 0 } } },
    'job.podDisruptionBudget.maxUnavailable: 0 blocks the drain of a node forever; set at least 1',
  ],
];

describe('values that lose money or make an installation inoperable', () => {
  it('are at least twenty', () => expect(REFUSED.length).toBeGreaterThanOrEqual(20));

  const cases = REFUSED.map(([what, values, sentence, rendering = {}]) => ({ what, values, sentence, rendering }));
  it.each(cases)('are refused: $what', async ({ values, sentence, rendering }) => {
    const error = await renderText({ ...rendering, values }).then(
      () => 'it was accepted',
      (reason: unknown) => String((reason as { stderr?: string }).stderr),
    );
    expect(error).toContain(`  - ${sentence}\n`);
  });

  it.each<[string, Rendering]>([
    ['you trust it', { values: { rpc: ONE_HOST, paymentWatcher: { trustSingleEndpoint: true } } }],
    ['the chart makes the keys of an evaluation', { required: { treasury: REQUIRED.treasury, rpc: ONE_HOST } }],
    ['no service asks the chain', { values: { rpc: ONE_HOST, ...ASKS_NO_CHAIN } }],
  ])('accept one RPC host if %s', async (_why, rendering) => {
    await expect(renderText(rendering)).resolves.toContain('kind: Deployment');
  });

  it.each(['1stbot', 'my.bot'])('accept the release name %s with another for its objects', async (release) => {
    const rendered = renderText({ release, values: { fullnameOverride: 'bot' } });
    await expect(rendered).resolves.toContain('name: bot-job');
  });

  it('accept the required values', async () => {
    expect(REQUIRED.makerExecutor).toMatchObject({ operatorKeys: OPERATORS });
    await expect(renderText({ apis: OPTIONAL_APIS })).resolves.toContain('kind: Deployment');
  });
});
