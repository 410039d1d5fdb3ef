import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TRUST } from '@maker/execution-records/testing';
import {
  ACCOUNT_INDEX,
  type ExchangeChainPart,
  openDatabases,
  type QuickClock,
  startChain,
  startNats,
} from '@maker/local-stack';
import { startServer } from '@maker/messaging/testing';
import { createLogger } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import { receiptsEnvironment } from '../../receipts/src/configuration.ts';
import { receiptsModule } from '../../receipts/src/receipts.module.ts';
import { OPERATOR_KEYS } from './operator-commands.fixture.ts';

/** Mnemonic of all wallets of a stage. */
export const MNEMONIC = 'test test test test test test test test test test test junk';

/** Block production of a stage's chain. */
export interface StageOptions {
  /** Time between blocks; 0 mines on request only. */
  readonly blockSeconds?: number;
  /** Replaces `blockSeconds` for blocks within less than a second. */
  readonly clock?: QuickClock;
}

/** The real servers of a stage, and the receipts service. */
export interface StageServers {
  readonly chain: ExchangeChainPart;
  readonly natsUrl: string;
  /** URL of the fake job service's database. */
  readonly jobMongoUrl: string;
  /** Environment of a maker. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the servers of a stage. */
export async function startServers({ blockSeconds = 1, clock }: StageOptions): Promise<StageServers> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-executor-'));
  const mongo = openDatabases();
  const [nats, chain] = await Promise.all([startNats(), startChain({ exchanges: true, blockSeconds, clock })]);
  const exchangesFile = join(folder, 'exchanges.json');
  const seedFile = join(folder, 'seed');
  await writeFile(exchangesFile, JSON.stringify(chain.exchanges));
  await writeFile(seedFile, MNEMONIC, { mode: 0o400 });
  const environment = {
    LOG_LEVEL: 'fatal',
    LISTEN_HOST: '127.0.0.1',
    OPS_PORT: '0',
    SHUTDOWN_DRAIN_MS: '0',
    NATS_URL: nats.url,
    MONGO_URL: mongo.urlOf('maker_executor'),
    CHAIN_ID: '31337',
    CHAIN_RPC_URLS: chain.rpcUrl,
    CHAIN_EXCHANGES_FILE: exchangesFile,
    MAKER_SEED_FILE: seedFile,
    TREASURY_ADDRESS: chain.accounts[ACCOUNT_INDEX.treasury]?.address ?? '',
    MAKER_LEASE_SECONDS: '3',
    MAKER_OPERATOR_KEYS: OPERATOR_KEYS,
    JOB_AGREEMENT_SIGNERS: TRUST.agreementSigners.join(),
  };
  const receipts = await startReceipts({ ...environment, MONGO_URL: mongo.urlOf('receipts') }, environment.MONGO_URL);
  const remove = () => rm(folder, { recursive: true, force: true });
  return {
    chain,
    natsUrl: nats.url,
    jobMongoUrl: mongo.urlOf('job'),
    environment,
    async stop() {
      await receipts.close();
      await Promise.all([mongo.stop(), nats.stop(), chain.stop(), remove()]);
    },
  };
}

/** Starts the receipts service, which reads the makers' database. */
function startReceipts(environment: Record<string, string>, makerMongoUrl: string): Promise<INestMicroservice> {
  const configuration = receiptsEnvironment.parse(environment);
  const logger = createLogger('receipts', process.env.TEST_LOG_LEVEL ?? 'fatal');
  const options = { servers: configuration.NATS_URL, queue: 'receipts', gracefulShutdown: true, gracePeriod: 100 };
  const makerDatabase = new URL(makerMongoUrl).pathname.slice(1);
  return startServer(receiptsModule(configuration, logger, makerDatabase), options);
}
