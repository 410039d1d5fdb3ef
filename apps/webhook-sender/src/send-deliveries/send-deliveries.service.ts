import { Clock, Logger, PeriodicTask, sharedReading } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SENDING, type SendingRules } from '../configuration.ts';
import { type ClaimedDelivery, DeliveriesRepository } from '../delivery/deliveries.repository.ts';
import { type Endpoint, signatureHeaders } from '../endpoint/endpoint.ts';
import { EndpointsRepository } from '../endpoint/endpoints.repository.ts';
import { WatchedEndpoints } from '../endpoint/watched-endpoints.ts';
import { type PostOptions, postMessage } from '../post-message.ts';
import { isPublicAddress } from '../public-address.ts';
import { WebhookMetrics } from '../webhook.metrics.ts';

/** Concurrent attempts per endpoint. */
const MOST_CONCURRENT = 8;

/** Sends due messages, separately for each endpoint: a slow endpoint delays no other. */
@Injectable()
export class SendDeliveriesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;
  private readonly options: PostOptions;
  /** Current rounds, by the endpoint's name. */
  private readonly rounds = new Map<string, Promise<void>>();
  private stopping = false;

  constructor(
    @Inject(SENDING) { timeoutMs, pollMs, anyAddress, translators }: SendingRules,
    private readonly logger: Logger,
    private readonly clock: Clock,
    private readonly watched: WatchedEndpoints,
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly metrics: WebhookMetrics,
  ) {
    this.options = { timeoutMs, isAllowed: (address) => anyAddress || isPublicAddress(address, translators) };
    this.task = new PeriodicTask('webhook deliveries', pollMs, logger, async () => this.poll());
    const waiting = sharedReading(() => Promise.all(watched.all().map(({ name }) => deliveries.waiting(name))));
    const ageMs = (since: Date | undefined) => (since ? clock.now() - since.getTime() : 0);
    metrics.read({
      waiting: async () => (await waiting()).reduce((sum, { count }) => sum + count, 0),
      oldestMs: async () => Math.max(0, ...(await waiting()).map(({ oldest }) => ageMs(oldest))),
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  /** Starts no more attempts and waits for the current ones. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.task.stop();
    await Promise.all(this.rounds.values());
  }

  private poll(): void {
    for (const endpoint of this.watched.all()) {
      const { name } = endpoint;
      if (this.rounds.has(name)) continue;
      const round = this.sendDue(endpoint)
        .catch((error: unknown) => {
          this.logger.error({ err: error, endpoint: name }, 'webhooks not sent, retrying');
        })
        .finally(() => this.rounds.delete(name));
      this.rounds.set(name, round);
    }
  }

  /** Attempts every due message of an endpoint once. */
  private async sendDue(endpoint: Endpoint): Promise<void> {
    const next = async () => (this.stopping ? undefined : this.deliveries.claim(endpoint.name));
    const first = await next();
    // Most polls find nothing; further lanes start only if the first one has a message.
    if (!first) return;
    const lane = async (claimed?: ClaimedDelivery): Promise<void> => {
      for (let delivery = claimed ?? (await next()); delivery; delivery = await next()) {
        await this.attempt(endpoint, delivery);
      }
    };
    await Promise.all([lane(first), ...Array.from({ length: MOST_CONCURRENT - 1 }, () => lane())]);
  }

  private async attempt({ name, url, secrets }: Endpoint, delivery: ClaimedDelivery): Promise<void> {
    const { eventId: id, type, jobId, body, attempts } = delivery;
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'hyperevm-maker-bot',
      ...signatureHeaders(secrets, { id, body }, new Date(this.clock.now())),
    };
    const attempt = await postMessage({ url, headers, body }, this.options);
    this.metrics.attempted(attempt.outcome, attempt.tookMs);
    await this.deliveries.end(delivery, attempt);
    const { outcome, status, tookMs } = attempt;
    const fields = { endpoint: name, eventId: id, type, jobId, outcome, status, attempts, tookMs };
    if (outcome !== 'delivered') {
      this.logger.warn(fields, 'webhook not delivered, retrying');
      await this.endpoints.failed(name);
    } else {
      this.logger.info(fields, 'webhook delivered');
      if (await this.endpoints.answered(name)) await this.deliveries.wake(name);
    }
  }
}
