import { type EventContract, getJobCreator, type JobCreator, type RequestContract } from '@maker/contracts';
import { HandleRequest, Outbox, RequestClient, serviceModule } from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { Connection, inTransaction } from '@maker/persistence';
import { createLogger } from '@maker/service-kit';
import { Controller, type INestMicroservice } from '@nestjs/common';
import type { z } from 'zod';
import { SENDING_RULES } from './configuration.ts';
import { SERVICE, webhookSenderModule } from './webhook-sender.module.ts';

/** Addresses of the real servers of a test. */
export interface Servers {
  readonly natsUrl: string;
  readonly senderMongoUrl: string;
  /** Database of the fake job service. */
  readonly jobMongoUrl: string;
  readonly endpointsFile: string;
}

const common = { LOG_LEVEL: 'fatal', LISTEN_HOST: '127.0.0.1', OPS_PORT: 0, SHUTDOWN_DRAIN_MS: 0 } as const;

const optionsOf = (queue: string, natsUrl: string) => ({
  servers: [natsUrl],
  queue,
  gracefulShutdown: true,
  gracePeriod: 100,
});

/** Starts the sender like a deployed one, but with ten times as many polls, and any address. */
export function startSender(
  { natsUrl, senderMongoUrl, endpointsFile }: Servers,
  timeoutMs = SENDING_RULES.timeoutMs,
): Promise<INestMicroservice> {
  const configuration = {
    ...common,
    NATS_URL: [natsUrl],
    MONGO_URL: senderMongoUrl,
    WEBHOOK_ENDPOINTS_FILE: endpointsFile,
  };
  const rules = { ...SENDING_RULES, timeoutMs, pollMs: SENDING_RULES.pollMs / 10, anyAddress: true };
  const logger = createLogger(SERVICE, process.env.TEST_LOG_LEVEL ?? 'fatal');
  return startServer(webhookSenderModule(configuration, logger, rules), optionsOf(SERVICE, natsUrl));
}

/** Creators of jobs by their ids; empty by default. */
export class Creators extends Map<string, JobCreator> {}

@Controller()
class CreatorsHandler {
  constructor(private readonly creators: Creators) {}

  @HandleRequest(getJobCreator)
  creator({ jobId }: { jobId: string }) {
    return this.creators.get(jobId) ?? {};
  }
}

/** A fake of the job service: publishes events through its outbox, and sends requests like the gateway. */
export class FakeJobService {
  private constructor(private readonly app: INestMicroservice) {}

  static async start({ natsUrl, jobMongoUrl }: Servers): Promise<FakeJobService> {
    const logger = createLogger('job', 'fatal');
    const configuration = { ...common, NATS_URL: [natsUrl] };
    const job = serviceModule('job', configuration, logger, {
      mongoUrl: jobMongoUrl,
      events: 'job',
      controllers: [CreatorsHandler],
      providers: [Creators],
    });
    return new FakeJobService(await startServer(job, optionsOf('job', natsUrl)));
  }

  /** Answers of the job service to `job.creator.get`, by job id. */
  get creators(): Creators {
    return this.app.get(Creators);
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  /** Records one event for each job in one transaction. */
  async publish<Data extends z.ZodType<Record<string, unknown>>>(
    contract: EventContract<string, Data>,
    jobs: string | readonly string[],
    data: z.input<Data>,
  ): Promise<void> {
    const outbox = this.app.get(Outbox);
    await inTransaction(this.app.get(Connection), async (session) => {
      for (const jobId of [jobs].flat()) await outbox.record(contract, { jobId, data }, session);
    });
  }

  ask<Request extends z.ZodType, Reply extends z.ZodType>(
    contract: RequestContract<Request, Reply>,
    payload: z.input<Request>,
  ): Promise<z.output<Reply>> {
    return this.app.get(RequestClient).request(contract, payload);
  }
}
