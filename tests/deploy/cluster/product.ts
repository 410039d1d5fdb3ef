import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
import { stringify } from 'yaml';
import { CHART, EXAMPLES, type KubernetesObject, parseObjects } from '../chart.ts';
import { output } from './command.ts';
import type { ServerImages } from './images.ts';
import { applySecret, helm, kubectl, RELEASE, type ServiceProxy } from './kubernetes.ts';

const BLOCK_SECONDS = 1;
/** Longer than it takes to roll every pod. */
const EXECUTION_WINDOW_SECONDS = 120;
const CHAIN_PORT = 8545;
const ROOT_ONLY_PROVISIONER = 'kubernetes.io/host-path';
const WAIT = ['--wait', '--timeout', '10m', '--hide-notes'];

/** What an installation is made with, and what it is known by. */
export interface Installation {
  readonly stack: Pick<
    StackDescription,
    'apiUrl' | 'apiKey' | 'rpcUrl' | 'chainId' | 'treasury' | 'payer' | 'tokens' | 'contracts'
  >;
  /** Installs the release, or upgrades it; waits until every pod is ready. */
  apply(action: 'install' | 'upgrade', changes: Record<string, unknown>): Promise<void>;
}

/** Makes the namespace, the Secrets and the chain that an installation needs. */
export async function prepareInstallation(images: ServerImages, proxy: ServiceProxy): Promise<Installation> {
  await kubectl(['apply', '--filename', join(dirname(EXAMPLES), 'namespace.yaml')]);
  const secrets = await makeSecrets();
  const rpcUrl = await startChain(images.chain, proxy);
  const deployment = await deployContracts(rpcUrl);
  const treasury = demoAccount(ACCOUNT_INDEX.treasury).address;
  const own = {
    chain: { exchanges: exchangeRegistry(deployment.contracts) },
    job: {
      plan: { executionWindowSeconds: EXECUTION_WINDOW_SECONDS },
    },
    makerExecutor: { treasuryAddress: treasury },
    tests: { tokenAddress: deployment.tokens.both },
    preflight: { enabled: true, tokenAddress: deployment.tokens.both },
    evaluation: {
      nats: images.nats ? { image: images.nats } : {},
      mongodb: { ...images.mongodb, ...(await storage()) },
    },
  };
  return {
    stack: {
      apiUrl: proxy.urlOf(`${RELEASE}-hyperevm-maker-bot-api-gateway`, 'http'),
      apiKey: secrets.apiKey,
      rpcUrl,
      chainId: CHAIN_ID,
      treasury,
      payer: demoAccount(ACCOUNT_INDEX.payer),
      ...deployment,
    },
    apply: (action, changes) => applyRelease(action, own, changes),
  };
}

/** A volume for MongoDB, unless the cluster's volumes belong to root, as which nothing in the namespace runs. */
async function storage(): Promise<{ storage?: '' }> {
  const provisioners = await output('kubectl', [
    'get',
    'storageclasses',
    '--output',
    'jsonpath={.items[*].provisioner}',
  ]);
  return provisioners.includes(ROOT_ONLY_PROVISIONER) ? { storage: '' } : {};
}

async function makeSecrets(): Promise<StackSecrets> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-secrets-'));
  try {
    const secrets = await prepareSecrets(folder);
    await applySecret('seed', { mnemonic: await readFile(secrets.seedFile, 'utf8') });
    await applySecret('account-xpub', { xpub: secrets.xpub });
    await applySecret('api-keys', { 'api-keys.json': await readFile(secrets.apiKeysFile, 'utf8') });
    await applySecret('site-api-key', { 'api-key': secrets.apiKey });
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

async function applyRelease(action: 'install' | 'upgrade', own: object, changes: object): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-values-'));
  try {
    const files = await Promise.all(
      [own, changes].map(async (values, index) => {
        const file = join(folder, `${index}.yaml`);
        await writeFile(file, stringify(values));
        return file;
      }),
    );
    const values = [join(EXAMPLES, 'local.yaml'), ...files].flatMap((file) => ['--values', file]);
    await helm([action, RELEASE, CHART, ...values, ...WAIT]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
