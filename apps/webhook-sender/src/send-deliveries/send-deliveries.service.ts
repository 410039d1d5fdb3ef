import { Clock, Logger, PeriodicTask, sharedReading } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SENDING, type SendingRules } from '../configuration.ts';
import { type BegunDelivery, DeliveriesRepository } from '../delivery/deliveries.repository.ts';
import { type Endpoint, signatureHeaders } from '../endpoint/endpoint.ts';
import { EndpointsRepository } from '../endpoint/endpoints.repository.ts';
import { WatchedEndpoints } from '../endpoint/watched-endpoints.ts';
import { type PostOptions, postMessage } from '../post-message/post-message.ts';
import { WebhookMetrics } from '../webhook.metrics.ts';

/** Between two looks for what is due, ms. */
const LOOK_MS = 500;

/** Attempts at one endpoint at once. */
const MOST_AT_ONCE = 8;

/** Sends what is due, each endpoint for itself: one that is slow holds up no other. */
@Injectable()
export class SendDeliveriesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;
  private readonly options: PostOptions;
  /** Rounds under way, by the endpoint's name. */
  private readonly rounds = new Map<string, Promise<void>>();
  private stopping = false;

  constructor(
    @Inject(SENDING) { timeoutMs, anyAddress }: SendingRules,
    private readonly logger: Logger,
    private readonly clock: Clock,
    private readonly watched: WatchedEndpoints,
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly metrics: WebhookMetrics,
  ) {
    this.options = { timeoutMs, ...(anyAddress && { isAllowed: () => true }) };
    this.task = new PeriodicTask('webhook deliveries', LOOK_MS, logger, async () => this.look());
    const waiting = sharedReading(
      () => Promise.all(watched.all().map(({ name }) => deliveries.waiting(name))),
      () => clock.now(),
    );
    const ageMs = (since: Date | undefined) => (since ? clock.now() - since.getTime() : 0);
    metrics.read({
      waiting: async () => (await waiting()).reduce((sum, { count }) => sum + count, 0),
      oldestMs: async () => Math.max(0, ...(await waiting()).map(({ oldest }) => ageMs(oldest))),
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  /** Begins nothing more, and waits for the attempts under way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.task.stop();
    await Promise.all(this.rounds.values());
  }

  private look(): void {
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

  /** Attempts everything that is due for an endpoint, once. */
  private async sendDue(endpoint: Endpoint): Promise<void> {
    const next = async () => (this.stopping ? undefined : this.deliveries.begin(endpoint.name));
    const first = await next();
    // Most looks find nothing; only where one does is there work for several.
    if (!first) return;
    const lane = async (begun?: BegunDelivery): Promise<void> => {
      for (let delivery = begun ?? (await next()); delivery; delivery = await next()) {
        await this.attempt(endpoint, delivery);
      }
    };
    await Promise.all([lane(first), ...Array.from({ length: MOST_AT_ONCE - 1 }, () => lane())]);
  }

  private async attempt({ name, url, secrets }: Endpoint, delivery: BegunDelivery): Promise<void> {
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
    const said = { endpoint: name, eventId: id, type, jobId, outcome, status, attempts, tookMs };
    if (outcome !== 'delivered') {
      this.logger.warn(said, 'webhook refused, retrying');
      await this.endpoints.failed(name);
    } else {
      this.logger.info(said, 'webhook delivered');
      if (await this.endpoints.answered(name)) await this.deliveries.wake(name);
    }
  }
}
