import { rpcUrl } from '../chain/anvil.ts';
import { CHAIN_ID } from '../chain/network.ts';
import { mongoUrl, mongoUrlThrough } from '../processes/mongo.ts';
import { natsUrl } from '../processes/nats.ts';
import { HOST } from '../processes/ports.ts';
import { baseEnvironment } from '../processes/running-process.ts';
import type { ServiceName } from './description.ts';
import type { StackSecrets } from './secrets.ts';
import type { StackPorts } from './stack-ports.ts';

export interface EnvironmentSource {
  ports: StackPorts;
  /** Whether services reach the database through a proxy. */
  mongoBehindOther: boolean;
  secrets: StackSecrets;
  exchangesFile: string;
  treasury: string;
  webhookEndpointsFile?: string | undefined;
}

/** Local pace: 0.5 HYPE, the smallest preset, is executed in about two minutes instead of a day. */
const EXECUTION_WINDOW_SECONDS = '75';

function commonEnvironment(opsPort: number): NodeJS.ProcessEnv {
  return {
    ...baseEnvironment(),
    NODE_ENV: 'production',
    // As in the images: docs/adr/0133.
    MALLOC_ARENA_MAX: '1',
    LOG_LEVEL: process.env.LOG_LEVEL || 'info',
    LISTEN_HOST: HOST,
    OPS_PORT: String(opsPort),
    // No load balancer here, so a server can close without a wait.
    SHUTDOWN_DRAIN_MS: '0',
  };
}

export function siteEnvironment(
  ports: StackPorts,
  configurationFile: string,
  agreementSigner: string,
): NodeJS.ProcessEnv {
  return {
    ...commonEnvironment(ports.site),
    HTTP_PORT: String(ports.shell),
    SITE_CONFIGURATION_FILE: configurationFile,
    JOB_AGREEMENT_SIGNERS: agreementSigner,
  };
}

/** Command-line arguments of services. Receivers of webhooks listen on this machine. */
export const SERVICE_ARGUMENTS: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  'webhook-sender': ['--any-address'],
};

export function serviceEnvironment(service: ServiceName, source: EnvironmentSource): NodeJS.ProcessEnv {
  const { ports, secrets } = source;
  const urlOf = source.mongoBehindOther ? mongoUrlThrough : mongoUrl;
  const chain = {
    CHAIN_ID: String(CHAIN_ID),
    CHAIN_RPC_URLS: rpcUrl(ports.rpc),
    // The only node is our own.
    CHAIN_TRUST_SINGLE_ENDPOINT: 'true',
    CHAIN_EXCHANGES_FILE: source.exchangesFile,
  };
  // The node answers for HyperCore as well.
  const hyperCore = { HYPERCORE_API_URL: rpcUrl(ports.rpc) };
  const own: Record<ServiceName, NodeJS.ProcessEnv> = {
    'api-gateway': {
      HTTP_PORT: String(ports.api),
      API_KEYS_FILE: secrets.apiKeysFile,
      JOB_AGREEMENT_SIGNERS: secrets.agreementSigner,
      // Tests and tools send far more requests than a visitor, all from one address.
      RATE_LIMIT_REQUESTS: '60000',
      CORS_ORIGINS: `http://${HOST}:${ports.shell},http://localhost:${ports.shell}`,
    },
    'token-validation': { ...chain, TREASURY_ADDRESS: source.treasury },
    job: {
      JOB_ACCOUNT_XPUB: secrets.xpub,
      JOB_AGREEMENT_KEY_FILE: secrets.agreementKeyFile,
      JOB_AGREEMENT_SIGNERS: secrets.agreementSigner,
      CHAIN_ID: String(CHAIN_ID),
      JOB_EXECUTION_WINDOW_SECONDS: EXECUTION_WINDOW_SECONDS,
      // The orders of a day run in a minute: a tenth of the blocks would delay them.
      JOB_BLOCK_SHARE_BPS: '10000',
      JOB_ORDER_REQUESTS_PER_MINUTE: '100000',
      // Tests and tools create far more jobs than a visitor, all from one address.
      JOB_MOST_UNPAID_JOBS_PER_CLIENT: '100000',
    },
    'payment-watcher': { ...chain, ...hyperCore },
    'maker-executor': {
      ...chain,
      ...hyperCore,
      MAKER_SEED_FILE: secrets.seedFile,
      JOB_AGREEMENT_SIGNERS: secrets.agreementSigner,
      TREASURY_ADDRESS: source.treasury,
      MAKER_OPERATOR_KEYS: secrets.operators.map(({ name, publicKey }) => `${name}:${publicKey}`).join(','),
    },
    receipts: { CHAIN_ID: String(CHAIN_ID) },
    'webhook-sender': { WEBHOOK_ENDPOINTS_FILE: source.webhookEndpointsFile },
  };
  return {
    ...commonEnvironment(ports[service]),
    NATS_URL: natsUrl(ports.nats),
    MONGO_URL: urlOf(ports.mongo, service.replaceAll('-', '_')),
    ...own[service],
  };
}
