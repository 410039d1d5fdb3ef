import { Logger, PeriodicTask, WatchedFile } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SENDING, type SendingRules, WEBHOOK_CONFIGURATION, type WebhookConfiguration } from '../configuration.ts';
import { WebhookMetrics } from '../webhook.metrics.ts';
import { type Endpoint, parseEndpoints } from './endpoint.ts';
import { EndpointsRepository } from './endpoints.repository.ts';

/** Between two reads of the file, ms. */
const PAUSE_MS = 5000;

/** The endpoints of a file that may change in place. */
@Injectable()
export class WatchedEndpoints implements OnModuleInit, BeforeApplicationShutdown {
  private readonly file: WatchedFile<Endpoint[]>;
  private readonly task: PeriodicTask;

  /** @throws ConfigurationError when the file cannot be used from the start */
  constructor(
    @Inject(WEBHOOK_CONFIGURATION) configuration: WebhookConfiguration,
    @Inject(SENDING) rules: SendingRules,
    private readonly logger: Logger,
    private readonly repository: EndpointsRepository,
    metrics: WebhookMetrics,
  ) {
    this.file = new WatchedFile({
      path: configuration.WEBHOOK_ENDPOINTS_FILE,
      setting: 'WEBHOOK_ENDPOINTS_FILE',
      title: 'webhook endpoints file',
      parse: (text) => parseEndpoints(text, rules.anyAddress),
      onRead: (isRefused) => metrics.endpointFileRefused(isRefused),
      logger,
    });
    this.task = new PeriodicTask('webhook endpoints', PAUSE_MS, logger, () => this.reload());
  }

  /** Before the first event is taken in: it must be told to everybody who is named. */
  async onModuleInit(): Promise<void> {
    await this.reload();
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  all(): readonly Endpoint[] {
    return this.file.value;
  }

  /** Takes over what the file holds now, and tells the other replicas. */
  async reload(): Promise<void> {
    const isChanged = this.file.reload();
    const names = this.all().map(({ name }) => name);
    if (isChanged) this.logger.info({ endpoints: names }, 'webhook endpoints changed');
    await this.repository.list(names);
  }
}
