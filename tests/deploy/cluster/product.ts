import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  ACCOUNT_INDEX,
  anvilArguments,
  CHAIN_ID,
  type ChainDeployment,
  chainTestClient,
  demoAccount,
  deployDemoContracts,
  exchangeRegistry,
  prepareSecrets,
  type StackDescription,
  type StackSecrets,
} from '@maker/local-stack';
import { parse, stringify } from 'yaml';
import { ProductClient } from '../../support/product-client.ts';
import { CHART, EXAMPLES, type KubernetesObject, parseObjects, type Values, withValues } from '../chart.ts';
import type { ServerImages } from './images.ts';
import { applySecret, helm, kubectl, RELEASE, refusedByHelm, type ServiceProxy } from './kubernetes.ts';
import { prepareVolumes } from './volume.ts';

const BLOCK_SECONDS = 1;
/** Longer than a rolling update of every pod. */
const EXECUTION_WINDOW_SECONDS = 120;
const CHAIN_PORT = 8545;
/** More than visitors make in a run. */
const VISITS = 1000;
const WAIT = ['--wait', '--timeout', '10m', '--hide-notes'];

/** The parts of a stack's description that an installation has. */
type InstalledStack = Pick<
  StackDescription,
  'apiUrl' | 'apiKey' | 'rpcUrl' | 'chainId' | 'treasury' | 'payer' | 'tokens' | 'contracts'
>;

/** An installation: its values and its description. */
export interface Installation {
  readonly stack: InstalledStack;
  readonly product: ProductClient;
  /** Values of the release. @param changes on top of them */
  values(changes: Values): Values;
  /** Prepares the cluster for the release. */
  prepareVolumes(): Promise<void>;
  /** Installs the release, or upgrades it; waits until every pod is ready. */
  apply(action: 'install' | 'upgrade', changes: Values): Promise<void>;
  /** The same with an expected refusal. @returns helm's output */
  refused(action: 'install' | 'upgrade', changes: Values): Promise<string>;
}

/** A chain beside the product, with tokens and exchanges. */
export interface PreparedChain {
  readonly stack: Pick<InstalledStack, 'rpcUrl' | 'chainId' | 'treasury' | 'payer' | 'tokens' | 'contracts'>;
  readonly treasury: string;
  /** Exchanges for `chain.exchanges`. */
  readonly exchanges: unknown;
}

/** Creates the namespace with the chain. */
export async function prepareChain(images: ServerImages, proxy: ServiceProxy): Promise<PreparedChain> {
  await kubectl(['apply', '--filename', join(dirname(EXAMPLES), 'namespace.yaml')]);
  const rpcUrl = await startChain(images.chain, proxy);
  const deployment = await deployContracts(rpcUrl);
  const treasury = demoAccount(ACCOUNT_INDEX.treasury).address;
  return {
    stack: { rpcUrl, chainId: CHAIN_ID, treasury, payer: demoAccount(ACCOUNT_INDEX.payer), ...deployment },
    treasury,
    exchanges: exchangeRegistry(deployment.contracts),
  };
}

/** Values of `evaluation` for servers with these images. */
export const serverValues = (images: ServerImages): Values => ({
  nats: images.nats ? { image: images.nats } : {},
  mongodb: images.mongodb ?? {},
});

/** `podDefaults` that run every pod as a given user. */
export const runningAs = (user: number): Values => ({
  podDefaults: { securityContext: { runAsUser: user, runAsGroup: user, fsGroup: user } },
});

/** Creates the namespace, the Secrets and the chain for an installation. */
export async function prepareInstallation(images: ServerImages, proxy: ServiceProxy): Promise<Installation> {
  const chain = await prepareChain(images, proxy);
  const { treasury } = chain;
  const secrets = await makeSecrets();
  const own = {
    chain: { exchanges: chain.exchanges },
    // All visitors come through the API server, from one address.
    job: { plan: { executionWindowSeconds: EXECUTION_WINDOW_SECONDS }, unpaidJobs: { perClient: VISITS } },
    treasury,
    makerExecutor: {
      operatorKeys: Object.fromEntries(secrets.operators.map(({ name, publicKey }) => [name, publicKey])),
    },
    tests: { tokenAddress: chain.stack.tokens.both },
    preflight: { enabled: true, tokenAddress: chain.stack.tokens.both },
    evaluation: serverValues(images),
  };
  const stack = {
    ...chain.stack,
    apiUrl: proxy.urlOf(`${RELEASE}-hyperevm-maker-bot-api-gateway`, 'http'),
    apiKey: secrets.apiKey,
  };
  const example = parse(await readFile(join(EXAMPLES, 'local.yaml'), 'utf8')) as Values;
  const values = (changes: Values) => layered(example, own, changes);
  return {
    stack,
    product: new ProductClient(stack as StackDescription),
    values,
    prepareVolumes,
    async apply(action, changes) {
      if (action === 'install') await prepareVolumes();
      await applyChart(action, CHART, values(changes));
    },
    refused: (action, changes) =>
      withValues(values(changes), (file) => refusedByHelm([action, RELEASE, CHART, '--values', file, ...WAIT])),
  };
}

async function makeSecrets(): Promise<StackSecrets> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-secrets-'));
  try {
    const secrets = await prepareSecrets(folder);
    await applySecret('maker-keys', {
      mnemonic: await readFile(secrets.seedFile, 'utf8'),
      xpub: secrets.xpub,
      'agreement-key': await readFile(secrets.agreementKeyFile, 'utf8'),
      'agreement-signers': secrets.agreementSigner,
      'api-keys.json': await readFile(secrets.apiKeysFile, 'utf8'),
      'site-api-key': secrets.apiKey,
      'operator-api-key': secrets.operatorApiKey,
    });
    await applySecret('webhook-endpoints', { 'endpoints.json': '[]' });
    return secrets;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the chain's address from this machine */
async function startChain(image: string | undefined, proxy: ServiceProxy): Promise<string> {
  const objects = parseObjects(await readFile(join(dirname(EXAMPLES), 'chain.yaml'), 'utf8'));
  const filled = objects.map((object) => (object.kind === 'Deployment' ? withAnvil(object, image) : object));
  await kubectl(['apply', '--filename', '-'], filled.map((object) => stringify(object)).join('---\n'));
  await kubectl(['rollout', 'status', 'deployment/chain', '--timeout', '180s']);
  return proxy.urlOf('chain', 'rpc');
}

function withAnvil(deployment: KubernetesObject, image: string | undefined): KubernetesObject {
  const filled = structuredClone(deployment);
  const [anvil] = filled.spec.template.spec.containers;
  anvil.args = anvilArguments({ host: '0.0.0.0', port: CHAIN_PORT });
  if (image) anvil.image = image;
  return filled;
}

async function deployContracts(rpcUrl: string): Promise<ChainDeployment> {
  const client = chainTestClient(rpcUrl);
  const deployment = await deployDemoContracts(client);
  await client.setIntervalMining({ interval: BLOCK_SECONDS });
  return deployment;
}

/** Installs a chart as the release, or upgrades the release to it; waits until every pod is ready. */
function applyChart(action: 'install' | 'upgrade', chart: string, values: Values): Promise<void> {
  return withValues(values, (file) => helm([action, RELEASE, chart, '--values', file, ...WAIT]));
}

/** Values on top of others, merged as helm does. */
export function layered(...layers: readonly Values[]): Values {
  const whole: Values = {};
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    const below = whole[name];
    whole[name] = isValues(value) && isValues(below) ? layered(below, value) : value;
  }
  return whole;
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
