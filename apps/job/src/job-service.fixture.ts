import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkRecipient,
  createJob,
  type EventContract,
  executionCompleted,
  findUsedAddresses,
  getStats,
  type MarketFactsMessage,
  paymentReceived,
  readMarket,
  type ValidateTokenResponse,
} from '@maker/contracts';
import { type OpenDatabases, openDatabases, startNats } from '@maker/local-stack';
import { connectionOptions, EventConsumer, HandleRequest, RequestClient, type RequestFailure } from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { Connection } from '@maker/persistence';
import { parseHype } from '@maker/rules';
import { createLogger, parseConfiguration } from '@maker/service-kit';
import { AgreementKey } from '@maker/signing/agreement-key';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { z } from 'zod';
import { jobEnvironment } from './configuration.ts';
import { type ExecutorDouble, executorDouble } from './executor-double.fixture.ts';
import { jobModule } from './job.module.ts';
import { marketFixture, TEST_XPUB } from './plan/market.fixture.ts';

/** Token of the jobs of {@link JobStage.create}. */
export const TOKEN_ADDRESS = `0x${'1'.repeat(40)}` as const;
/** Key that signs agreements of the stage. */
export const TEST_AGREEMENT_KEY = `0x${'a7'.repeat(32)}`;
/** Sender of {@link receivedFixture}. */
export const PAYER_ADDRESS = `0x${'6'.repeat(40)}`;
/** A recipient that token-validation refuses. */
export const ROUTER_ADDRESS = `0x${'c1'.repeat(20)}`;
/** A recipient that token-validation calls a contract. */
export const CONTRACT_ADDRESS = `0x${'c2'.repeat(20)}`;
/** The operators of an `execution.cancel_commanded`. */
export const BY = { operators: ['anna'] };

/** Answers of the double of token-validation, and the number of markets it has read. */
export interface TokenValidationAnswers {
  /** Without `checkedAtBlock`, the double uses the time of the request. */
  verdict: Omit<ValidateTokenResponse, 'checkedAtBlock'> & Partial<Pick<ValidateTokenResponse, 'checkedAtBlock'>>;
  market: MarketFactsMessage;
  refusal: RequestFailure | undefined;
  reads: number;
}

function tradable(): Omit<TokenValidationAnswers, 'reads'> {
  const liquidityStatus = { meetsMinimum: true, hasV2: true, hasV3: false };
  return { verdict: { isValid: true, liquidityStatus }, market: marketFixture(), refusal: undefined };
}

const validation: TokenValidationAnswers = { ...tradable(), reads: 0 };

@Controller()
class TokenValidationDouble {
  @HandleRequest(readMarket)
  market() {
    validation.reads += 1;
    if (validation.refusal) throw validation.refusal;
    const { market } = validation;
    const verdict = { checkedAtBlock: { number: 1, at: new Date().toISOString() }, ...validation.verdict };
    return { verdict, ...(verdict.isValid && { market }) };
  }

  @HandleRequest(checkRecipient)
  recipient({ address }: { address: string }) {
    if (address === ROUTER_ADDRESS) return { problem: 'what is sent there is lost', isContract: true };
    return { isContract: address === CONTRACT_ADDRESS };
  }

  @HandleRequest(findUsedAddresses)
  findUsed(): { used: string[] } {
    return { used: [] };
  }
}

@Module({ controllers: [TokenValidationDouble] })
class TokenValidationDoubleModule {}

/** Payment amount of the jobs of {@link JobStage.create}, wei. */
export const PAYMENT_WEI = parseHype('0.5').toString();

/** The job service on a real database and broker, with doubles of token-validation and maker-executor, for specs. */
export interface JobStage {
  service: INestMicroservice;
  client: RequestClient;
  database: Connection;
  readonly validation: TokenValidationAnswers;
  readonly executor: ExecutorDouble;
  create(differences?: Partial<z.input<typeof createJob.request>>): Promise<z.output<typeof createJob.reply>>;
  /** Applies an event of another service. */
  deliver<Data extends z.ZodType>(
    contract: EventContract<string, Data>,
    jobId: string,
    data: z.input<Data>,
  ): Promise<void>;
  rows(collection: string, filter: Record<string, unknown>): Promise<mongo.WithId<mongo.Document>[]>;
  /** Types of the events recorded for the job, sorted. */
  eventTypes(jobId: string): Promise<string[]>;
  /** Stops the job service and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param environment variables that the job service gets in addition to the defaults
 * @param open `startMongo` if a test reads the counters of its server
 */
export async function startJobStage(
  environment: Record<string, string> = {},
  open: OpenDatabases = openDatabases,
): Promise<JobStage> {
  const databases = await open();
  const broker = await startNats();
  const folder = mkdtempSync(join(tmpdir(), 'maker-job-'));
  const keyFile = join(folder, 'agreement-key');
  writeFileSync(keyFile, TEST_AGREEMENT_KEY, { mode: 0o400 });
  const configuration = parseConfiguration(jobEnvironment, {
    LISTEN_HOST: '127.0.0.1',
    OPS_PORT: '0',
    MONGO_URL: databases.urlOf('job'),
    NATS_URL: broker.url,
    JOB_ACCOUNT_XPUB: TEST_XPUB,
    JOB_AGREEMENT_KEY_FILE: keyFile,
    JOB_AGREEMENT_SIGNERS: AgreementKey.of(TEST_AGREEMENT_KEY).address,
    CHAIN_ID: '31337',
    JOB_ORDER_REQUESTS_PER_MINUTE: '100000',
    JOB_BLOCK_SHARE_BPS: '10000',
    ...environment,
  });
  const options = (name: string) => ({ ...connectionOptions(name, { NATS_URL: [broker.url] }), queue: name });
  const double = await startServer(TokenValidationDoubleModule, options('token-validation'));
  const executor = executorDouble();
  const maker = await startServer(executor.module, options('maker-executor'));
  const start = () => startServer(jobModule(configuration, createLogger('job', 'silent')), options('job'));
  const partsOf = (service: INestMicroservice) => ({
    service,
    client: service.get(RequestClient, { strict: false }),
    database: service.get(Connection, { strict: false }),
  });
  const request = { tokenAddress: TOKEN_ADDRESS, paymentAmountWei: PAYMENT_WEI, apiKeyName: 'web' };
  const stage: JobStage = {
    ...partsOf(await start()),
    validation,
    executor,
    create: (differences) => stage.client.request(createJob, { ...request, ...differences }),
    deliver: (contract, jobId, data) =>
      stage.service.get(EventConsumer, { strict: false }).process({
        id: randomUUID(),
        type: contract.type,
        version: 1,
        occurredAt: new Date().toISOString(),
        jobId,
        data,
      }),
    rows: (collection, filter) => stage.database.collection(collection).find(filter).toArray(),
    eventTypes: async (jobId) => (await stage.rows('outbox', { jobId })).map(({ type }) => type).sort(),
    restart: async () => {
      await stage.service.close();
      Object.assign(stage, partsOf(await start()));
    },
    stop: async () => {
      await stage.service.close();
      await Promise.all([double.close(), maker.close()]);
      await Promise.all([databases.stop(), broker.stop()]);
      rmSync(folder, { recursive: true });
    },
  };
  Object.assign(validation, tradable());
  // The broker may receive a request before it knows the service's subscription.
  const answers = () => stage.client.request(getStats, {}).then(Boolean, () => false);
  await vi.waitUntil(answers, { timeout: 10_000 });
  return stage;
}

/** A stage for all tests of a file, usable from the first test on. Parameters: see {@link startJobStage}. */
export function stageForFile(...parameters: Parameters<typeof startJobStage>): Omit<JobStage, 'restart' | 'stop'> {
  let stage: JobStage | undefined;
  beforeAll(async () => {
    stage = await startJobStage(...parameters);
  });
  beforeEach(() => {
    Object.assign(validation, tradable());
  });
  afterAll(() => stage?.stop());
  const started = () => {
    if (!stage) throw new Error('the stage of this file has not started');
    return stage;
  };
  return {
    get service() {
      return started().service;
    },
    get client() {
      return started().client;
    },
    get database() {
      return started().database;
    },
    get executor() {
      return started().executor;
    },
    validation,
    create: (differences) => started().create(differences),
    deliver: (contract, jobId, data) => started().deliver(contract, jobId, data),
    rows: (collection, filter) => started().rows(collection, filter),
    eventTypes: (jobId) => started().eventTypes(jobId),
  };
}

/** Data of `payment.received` for a plain transfer of {@link PAYMENT_WEI} in time. */
export function receivedFixture(
  differences: Partial<z.input<typeof paymentReceived.data>> = {},
): z.input<typeof paymentReceived.data> {
  return {
    depositId: randomUUID(),
    amountWei: PAYMENT_WEI,
    kind: 'transfer',
    from: PAYER_ADDRESS,
    transactionHash: `0x${randomBytes(32).toString('hex')}`,
    blockNumber: 5,
    blockAt: new Date().toISOString(),
    ...differences,
  };
}

/** The end of an execution that has placed its orders. */
export const completionFixture: z.input<typeof executionCompleted.data> = {
  ordersPlaced: 600,
  tradedWei: '1',
  gasWei: '1',
  feeWei: '1',
  deliveredTokens: '1',
  returnedWei: '1',
};
