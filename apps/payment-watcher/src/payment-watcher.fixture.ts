import {
  findOnHyperCore,
  jobCreated,
  jobStatusChanged,
  listCreditedDeposits,
  paymentDeadlinePassed,
  paymentDropped,
  paymentReceived,
  paymentSeen,
  paymentSeenOnHyperCore,
  paymentTokensFound,
} from '@maker/contracts';
import { EventConsumer, Outbox, type ParsedEvent, RequestClient, serviceModule } from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { Connection, inTransaction } from '@maker/persistence';
import type { JobStatus } from '@maker/rules';
import { Clock, createLogger, MetricsRegistry } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import type { Address } from 'viem';
import { vi } from 'vitest';
import type { z } from 'zod';
import type { PaymentWatcherConfiguration } from './configuration.ts';
import { paymentWatcherModule } from './payment-watcher.module.ts';

/** Addresses of the real servers of a test. */
export interface Servers {
  readonly natsUrl: string;
  readonly rpcUrl: string;
  /** A second endpoint of the same chain. */
  readonly otherRpcUrl?: string;
  /** HyperCore's API; absent: not configured. */
  readonly hyperCoreUrl?: string;
  readonly watcherMongoUrl: string;
  /** Database of the fake job service. */
  readonly jobMongoUrl: string;
}

const common = { LOG_LEVEL: 'fatal', LISTEN_HOST: '127.0.0.1', OPS_PORT: 0, SHUTDOWN_DRAIN_MS: 0 } as const;

/** Settings that a test overrides. */
export type WatcherChanges = Partial<PaymentWatcherConfiguration>;

/** Starts the payment watcher like a deployed one. @param pollSeconds time between two polls */
export function startWatcher(
  servers: Servers,
  pollSeconds = 0.1,
  changes: WatcherChanges = {},
): Promise<INestMicroservice> {
  const configuration = {
    ...common,
    NATS_URL: [servers.natsUrl],
    MONGO_URL: servers.watcherMongoUrl,
    CHAIN_ID: 31_337,
    CHAIN_RPC_URLS: [servers.rpcUrl, ...(servers.otherRpcUrl ? [servers.otherRpcUrl] : [])],
    CHAIN_RPC_REQUESTS_PER_MINUTE: [],
    CHAIN_CONFIRMATIONS: 1,
    WATCHER_POLL_INTERVAL_SECONDS: pollSeconds,
    CHAIN_TRUST_SINGLE_ENDPOINT: true,
    ...(servers.hyperCoreUrl && { HYPERCORE_API_URL: servers.hyperCoreUrl }),
    ...changes,
  };
  const logger = createLogger('payment-watcher', process.env.TEST_LOG_LEVEL ?? 'fatal');
  const options = { servers: [servers.natsUrl], queue: 'payment-watcher', gracefulShutdown: true, gracePeriod: 100 };
  return startServer(paymentWatcherModule(configuration, logger), options);
}

/** Moves the clock of a watcher forward, not the chain's. */
export function passTime(watcher: INestMicroservice, ms: number): void {
  const clock = watcher.get(Clock, { strict: false });
  const aheadMs = clock.now() - Date.now() + ms;
  vi.spyOn(clock, 'now').mockImplementation(() => Date.now() + aheadMs);
}

/** The data of a payment.received. */
export type Received = z.output<typeof paymentReceived.data>;

/** The data of a payment.seen. */
export type Seen = z.output<typeof paymentSeen.data>;

/** The data of a payment.seen_on_hypercore. */
export type SeenOnHyperCore = z.output<typeof paymentSeenOnHyperCore.data>;

/** The data of a payment.tokens_found. */
export type TokensFound = z.output<typeof paymentTokensFound.data>;

/** The data of a payment.deadline_passed. */
export type Passed = z.output<typeof paymentDeadlinePassed.data>;

/** A fake of the job service: publishes jobs through its outbox, and keeps the watcher's events by job. */
export class FakeJobService {
  private readonly seenByJob = new Map<string, Seen[]>();
  private readonly receivedByJob = new Map<string, Received[]>();
  private readonly droppedByJob = new Map<string, Received[]>();
  private readonly passedByJob = new Map<string, Passed[]>();
  private readonly onHyperCoreByJob = new Map<string, SeenOnHyperCore[]>();
  private readonly tokensByJob = new Map<string, TokensFound[]>();
  private readonly handled = new Set<string>();

  private constructor(private readonly app: INestMicroservice) {
    const keep = <Data>(kept: Map<string, Data[]>) => {
      return async ({ id, jobId, data }: ParsedEvent<Data>) => {
        this.handled.add(id);
        kept.set(jobId, [...(kept.get(jobId) ?? []), data]);
      };
    };
    app.get(EventConsumer).on('payment-watcher', paymentSeen, keep(this.seenByJob));
    app.get(EventConsumer).on('payment-watcher', paymentReceived, keep(this.receivedByJob));
    app.get(EventConsumer).on('payment-watcher', paymentDropped, keep(this.droppedByJob));
    app.get(EventConsumer).on('payment-watcher', paymentDeadlinePassed, keep(this.passedByJob));
    app.get(EventConsumer).on('payment-watcher', paymentSeenOnHyperCore, keep(this.onHyperCoreByJob));
    app.get(EventConsumer).on('payment-watcher', paymentTokensFound, keep(this.tokensByJob));
  }

  static async start({ natsUrl, jobMongoUrl }: Servers): Promise<FakeJobService> {
    const logger = createLogger('job', 'fatal');
    const configuration = { ...common, NATS_URL: [natsUrl] };
    const job = serviceModule('job', configuration, logger, { mongoUrl: jobMongoUrl, events: 'job' });
    return new FakeJobService(await startServer(job, { servers: [natsUrl], queue: 'job' }));
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  /** Whether all of these events have arrived. */
  hasHandled(eventIds: readonly string[]): boolean {
    return eventIds.every((id) => this.handled.has(id));
  }

  /** The data of `payment.seen`, ordered by revision. */
  seen(jobId: string): readonly Seen[] {
    return (this.seenByJob.get(jobId) ?? []).toSorted((one, other) => one.revision - other.revision);
  }

  received(jobId: string): readonly Received[] {
    return this.receivedByJob.get(jobId) ?? [];
  }

  dropped(jobId: string): readonly Received[] {
    return this.droppedByJob.get(jobId) ?? [];
  }

  /** Requests the credited deposits of a job from the watcher. */
  credited(jobId: string, after?: string): Promise<z.output<typeof listCreditedDeposits.reply>> {
    return this.app.get(RequestClient).request(listCreditedDeposits, { jobId, after });
  }

  onHyperCore(jobId: string): readonly SeenOnHyperCore[] {
    return this.onHyperCoreByJob.get(jobId) ?? [];
  }

  tokensFound(jobId: string): readonly TokensFound[] {
    return this.tokensByJob.get(jobId) ?? [];
  }

  /** Requests a search of HyperCore and for tokens, like an operator. */
  findOnHyperCore(jobId: string, walletAddress: Address): Promise<z.output<typeof findOnHyperCore.reply>> {
    return this.app.get(RequestClient).request(findOnHyperCore, { jobId, walletAddress });
  }

  passed(jobId: string): readonly Passed[] {
    return this.passedByJob.get(jobId) ?? [];
  }

  async createJob(
    jobId: string,
    paymentAddress: Address,
    deadlineMs: number,
    tokenAddress = `0x${'70'.repeat(20)}`,
  ): Promise<void> {
    const data = {
      tokenAddress,
      paymentAddress,
      paymentAmountWei: '500000000000000000',
      paymentDeadline: new Date(deadlineMs).toISOString(),
    };
    await this.record((outbox, session) => outbox.record(jobCreated, { jobId, data }, session));
  }

  async changeStatus(jobId: string, from: JobStatus, to: JobStatus): Promise<void> {
    const data = { from, to };
    await this.record((outbox, session) => outbox.record(jobStatusChanged, { jobId, data }, session));
  }

  private record(write: (outbox: Outbox, session: Parameters<Outbox['record']>[2]) => Promise<void>): Promise<void> {
    return inTransaction(this.app.get(Connection), (session) => write(this.app.get(Outbox), session));
  }
}

/** The newest block that each watcher has scanned. */
export function cursorsOf(watchers: readonly INestMicroservice[]): Promise<(number | undefined)[]> {
  return Promise.all(
    watchers.map(async (watcher) => {
      const cursor = await watcher.get(MetricsRegistry).getSingleMetric('maker_watcher_cursor_block')?.get();
      return cursor?.values[0]?.value;
    }),
  );
}
