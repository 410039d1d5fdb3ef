import { randomBytes } from 'node:crypto';
import { executionCompleted, executionFailed, executionPaused, executionResumed, jobActivated } from '@maker/contracts';
import { EventConsumer, EventsModule, MessagingModule, Outbox, type ParsedEvent } from '@maker/messaging';
import { inTransaction, Leases, MONGO_CONNECTION, PersistenceModule } from '@maker/persistence';
import { createLogger, ServiceKitModule } from '@maker/service-kit';
import { type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import type { Connection } from 'mongoose';
import type { Address } from 'viem';
import type { z } from 'zod';
import { makerEnvironment } from './configuration.ts';
import { makerModule } from './maker.module.ts';

/** Where the real servers of a test are, and what the maker is configured with. */
export interface Surroundings {
  readonly natsUrl: string;
  readonly makerMongoUrl: string;
  /** Of the database of the one who plays the job service. */
  readonly jobMongoUrl: string;
  readonly rpcUrl: string;
  readonly exchangesFile: string;
  readonly seedFile: string;
  readonly treasury: Address;
}

async function start(module: Parameters<typeof NestFactory.createMicroservice>[0], queue: string, natsUrl: string) {
  const options = { servers: [natsUrl], queue, gracefulShutdown: true, gracePeriod: 100 };
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
    transport: Transport.NATS,
    options,
    logger: false,
  });
  await app.listen();
  return app;
}

/** Starts the maker as it is deployed. @param more environment that differs from the tests' pace */
export function startMaker(place: Surroundings, more: Record<string, string> = {}): Promise<INestMicroservice> {
  const configuration = makerEnvironment.parse({
    LOG_LEVEL: 'fatal',
    OPS_HOST: '127.0.0.1',
    OPS_PORT: '0',
    SHUTDOWN_DRAIN_MS: '0',
    NATS_URL: place.natsUrl,
    MONGO_URL: place.makerMongoUrl,
    CHAIN_ID: '31337',
    CHAIN_RPC_URLS: place.rpcUrl,
    CHAIN_EXCHANGES_FILE: place.exchangesFile,
    MAKER_SEED_FILE: place.seedFile,
    MAKER_TREASURY_ADDRESS: place.treasury,
    MAKER_EXECUTION_WINDOW_SECONDS: '20',
    MAKER_LEASE_SECONDS: '3',
    ...more,
  });
  const logger = createLogger('maker-executor', process.env.TEST_LOG_LEVEL ?? 'fatal');
  return start(makerModule(configuration, logger), 'maker-executor', place.natsUrl);
}

/** Ends a maker as a crash would: its leases are not given back, and what it began is not finished. */
export async function crash(maker: INestMicroservice): Promise<void> {
  Object.assign(maker.get(Leases), { release: async () => {} });
  await maker.close();
}

/** What the maker told of a job at its end. */
export type Ending =
  | { readonly kind: 'completed'; readonly data: z.output<typeof executionCompleted.data> }
  | { readonly kind: 'failed'; readonly data: z.output<typeof executionFailed.data> };

/** A new job id. */
export function newJobId(): string {
  return `job_${randomBytes(16).toString('hex')}`;
}

/** Plays the job service: announces jobs by its outbox, and keeps what the maker says of each. */
export class JobStandIn {
  readonly #app: INestMicroservice;
  readonly #endings = new Map<string, Ending[]>();
  readonly #pauses = new Map<string, string[]>();

  private constructor(app: INestMicroservice) {
    this.#app = app;
    const consumer = app.get(EventConsumer);
    consumer.on('maker-executor', executionCompleted, async ({ jobId, data }) =>
      append(this.#endings, jobId, { kind: 'completed', data }),
    );
    consumer.on('maker-executor', executionFailed, async ({ jobId, data }) =>
      append(this.#endings, jobId, { kind: 'failed', data }),
    );
    const keepPause =
      (word: string) =>
      async ({ jobId, data }: ParsedEvent<{ reason: string }>) =>
        append(this.#pauses, jobId, `${word} ${data.reason}`);
    consumer.on('maker-executor', executionPaused, keepPause('paused'));
    consumer.on('maker-executor', executionResumed, keepPause('resumed'));
  }

  static async start({ natsUrl, jobMongoUrl }: Surroundings): Promise<JobStandIn> {
    const configuration = { LOG_LEVEL: 'fatal', OPS_HOST: '127.0.0.1', OPS_PORT: 0, SHUTDOWN_DRAIN_MS: 0 } as const;
    const logger = createLogger('job', 'fatal');
    @Module({
      imports: [
        ServiceKitModule.forRoot({ service: 'job', configuration, logger }),
        PersistenceModule.forRoot({ url: jobMongoUrl }),
        MessagingModule.forRoot({ service: 'job', nats: { NATS_URL: [natsUrl] } }),
        EventsModule.forRoot('job'),
      ],
    })
    class JobStandInModule {}
    const options = { servers: [natsUrl], queue: 'job' };
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(JobStandInModule, {
      transport: Transport.NATS,
      options,
      logger: false,
    });
    const job = new JobStandIn(app);
    await app.listen();
    return job;
  }

  get app(): INestMicroservice {
    return this.#app;
  }

  stop(): Promise<void> {
    return this.#app.close();
  }

  endings(jobId: string): readonly Ending[] {
    return this.#endings.get(jobId) ?? [];
  }

  /** Such as 'paused gas_guardrail', in the order told. */
  pauses(jobId: string): readonly string[] {
    return this.#pauses.get(jobId) ?? [];
  }

  /** Says that a job turned active; saying it twice is two events. */
  async activate(jobId: string, data: z.input<typeof jobActivated.data>): Promise<void> {
    await inTransaction(this.#app.get<Connection>(MONGO_CONNECTION), (session) =>
      this.#app.get(Outbox).record(jobActivated, { jobId, data }, session),
    );
  }
}

function append<Value>(kept: Map<string, Value[]>, jobId: string, value: Value): void {
  kept.set(jobId, [...(kept.get(jobId) ?? []), value]);
}
