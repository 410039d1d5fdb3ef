import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_SERVICES, type RunningStack, SERVICES, type ServiceName, startStack } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { MongoClient } from 'mongodb';
import { FAST_CLOCK } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { Arming } from './fail-points/arming.ts';
import { ServiceKeeper } from './service-keeper.ts';

/** Smallest payment here, for a job of 30 orders that ends in seconds. */
const MINIMUM_PAYMENT_HYPE = '0.15';

/** Settings that shorten a job's life to seconds. The rules are the same, only waits are shorter. */
const PACE: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>> = {
  'api-gateway': { RATE_LIMIT_REQUESTS: '1000000' },
  job: { MINIMUM_PAYMENT_HYPE, JOB_PAYMENT_TIMEOUT_SECONDS: '30', JOB_EXECUTION_WINDOW_SECONDS: '5' },
  'payment-watcher': { WATCHER_POLL_INTERVAL_SECONDS: '2' },
  'maker-executor': {
    MAKER_LEASE_SECONDS: '3',
    MAKER_RECONCILE_SECONDS: '2',
  },
};

/** MongoDB aborts a killed process's transaction after this time. It is below the 10 s of production, so that runs wait less. */
const TRANSACTION_LIFETIME_SECONDS = 4;

/** A stack whose services have fail points and restart when they die. */
export class ChaosStack {
  readonly product: ProductClient;

  private constructor(
    private readonly directory: string,
    readonly running: RunningStack,
    readonly arming: Arming,
    readonly keeper: ServiceKeeper,
    /** The receiver of webhooks, if any. */
    readonly receiver: WebhookReceiver | undefined,
  ) {
    this.product = new ProductClient(running.stack);
  }

  /** @param options.hasWebhooks whether a receiver gets webhooks for every event */
  static async start({ hasWebhooks = false } = {}): Promise<ChaosStack> {
    const directory = await mkdtemp(join(tmpdir(), 'maker-chaos-'));
    const arming = await Arming.in(join(directory, 'fail-points'));
    const environment = Object.fromEntries(
      ALL_SERVICES.map((service) => [service, { ...PACE[service], ...arming.environment(service) }]),
    );
    const receiver = hasWebhooks ? await WebhookReceiver.start() : undefined;
    const stackDirectory = join(directory, 'stack');
    // Runs the sources: fail points wrap functions of packages, which a bundle makes unreachable.
    const stack = {
      directory: stackDirectory,
      ports: 'free',
      parts: 'services',
      program: 'modules',
      environment,
    } as const;
    const webhookEndpointsFile = receiver?.endpointsFile;
    const running = await startStack({ ...stack, clock: FAST_CLOCK, webhookEndpointsFile });
    await limitTransactions(running.stack.mongoUrl);
    const keeper = new ServiceKeeper(running, arming, hasWebhooks ? ALL_SERVICES : SERVICES);
    keeper.start();
    return new ChaosStack(directory, running, arming, keeper, receiver);
  }

  /** Writes logs and deaths to `test-results/chaos/<name>`, for a diagnosis. */
  async keepEvidence(name: string): Promise<string> {
    const kept = join(WORKSPACE_ROOT, 'test-results', 'chaos', name);
    await cp(join(this.directory, 'stack', 'logs'), join(kept, 'logs'), { recursive: true });
    await cp(join(this.directory, 'fail-points'), join(kept, 'fail-points'), { recursive: true });
    return kept;
  }

  async stop(): Promise<void> {
    await this.keeper.stop();
    await this.receiver?.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function limitTransactions(mongoUrl: string): Promise<void> {
  const client = new MongoClient(mongoUrl);
  try {
    await client
      .db('admin')
      .command({ setParameter: 1, transactionLifetimeLimitSeconds: TRANSACTION_LIFETIME_SECONDS });
  } finally {
    await client.close();
  }
}
