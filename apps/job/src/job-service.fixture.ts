import { randomUUID } from 'node:crypto';
import { createJob, type EventContract, findUsedAddresses, paymentReceived, readMarket } from '@maker/contracts';
import { startMongo, startNats } from '@maker/local-stack';
import { connectionOptions, EventConsumer, HandleRequest, RequestClient } from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { Connection } from '@maker/persistence';
import { parseHype } from '@maker/rules';
import { createLogger, parseConfiguration } from '@maker/service-kit';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import type { z } from 'zod';
import { jobEnvironment } from './configuration.ts';
import { jobModule } from './job.module.ts';
import { marketFixture, TEST_XPUB } from './plan/market.fixture.ts';

@Controller()
class TokenValidationDouble {
  @HandleRequest(readMarket)
  market() {
    const checkedAtBlock = { number: 1, at: new Date().toISOString() };
    const liquidityStatus = { meetsMinimum: true, hasV2: true, hasV3: false };
    return { verdict: { isValid: true, liquidityStatus, checkedAtBlock }, market: marketFixture() };
  }

  @HandleRequest(findUsedAddresses)
  findUsed(): { used: string[] } {
    return { used: [] };
  }
}

@Module({ controllers: [TokenValidationDouble] })
class TokenValidationDoubleModule {}

/** HYPE that the jobs of {@link JobStage.create} cost, wei. */
export const PAYMENT_WEI = parseHype('0.5').toString();

/** The job service on a real database and broker, with a double of token-validation, for specs. */
export interface JobStage {
  service: INestMicroservice;
  client: RequestClient;
  database: Connection;
  create(differences?: Partial<z.input<typeof createJob.request>>): Promise<z.output<typeof createJob.reply>>;
  /** Hands an event over as JetStream does. */
  deliver<Data extends z.ZodType>(
    contract: EventContract<string, Data>,
    jobId: string,
    data: z.input<Data>,
  ): Promise<void>;
  /** Ends the process that is the job service, and starts another. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** @param environment of the job service, beside what it needs anyway */
export async function startJobStage(environment: Record<string, string> = {}): Promise<JobStage> {
  const [mongo, broker] = await Promise.all([startMongo(), startNats()]);
  const configuration = parseConfiguration(jobEnvironment, {
    OPS_HOST: '127.0.0.1',
    OPS_PORT: '0',
    MONGO_URL: mongo.urlOf('job'),
    NATS_URL: broker.url,
    JOB_ACCOUNT_XPUB: TEST_XPUB,
    JOB_ORDER_REQUESTS_PER_MINUTE: '100000',
    JOB_BLOCK_SHARE_BPS: '10000',
    ...environment,
  });
  const options = (name: string) => ({ ...connectionOptions(name, { NATS_URL: [broker.url] }), queue: name });
  const validation = await startServer(TokenValidationDoubleModule, options('token-validation'));
  const start = () => startServer(jobModule(configuration, createLogger('job', 'silent')), options('job'));
  const partsOf = (service: INestMicroservice) => ({
    service,
    client: service.get(RequestClient, { strict: false }),
    database: service.get(Connection, { strict: false }),
  });
  const asked = { tokenAddress: `0x${'1'.repeat(40)}`, paymentAmountWei: PAYMENT_WEI, apiKeyName: 'web' };
  const stage: JobStage = {
    ...partsOf(await start()),
    create: (differences) => stage.client.request(createJob, { ...asked, ...differences }),
    deliver: (contract, jobId, data) =>
      stage.service.get(EventConsumer, { strict: false }).process({
        id: randomUUID(),
        type: contract.type,
        version: 1,
        occurredAt: new Date().toISOString(),
        jobId,
        data,
      }),
    restart: async () => {
      await stage.service.close();
      Object.assign(stage, partsOf(await start()));
    },
    stop: async () => {
      await stage.service.close();
      await validation.close();
      await Promise.all([mongo.stop(), broker.stop()]);
    },
  };
  return stage;
}

/** A plain transfer of {@link PAYMENT_WEI} in time, as payment-watcher tells of it. */
export function receivedFixture(
  differences: Partial<z.input<typeof paymentReceived.data>> = {},
): z.input<typeof paymentReceived.data> {
  return {
    depositId: randomUUID(),
    amountWei: PAYMENT_WEI,
    kind: 'transfer',
    from: `0x${'3'.repeat(40)}`,
    blockNumber: 5,
    blockAt: new Date().toISOString(),
    ...differences,
  };
}
