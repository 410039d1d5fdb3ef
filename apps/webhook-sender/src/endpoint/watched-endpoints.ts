import { Logger, PeriodicTask, WatchedFile } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SENDING, type SendingRules, WEBHOOK_CONFIGURATION, type WebhookConfiguration } from '../configuration.ts';
import { WebhookMetrics } from '../webhook.metrics.ts';
import { type Endpoint, parseEndpoints } from './endpoint.ts';
import { EndpointsRepository } from './endpoints.repository.ts';

/** Time between two reads of the file, ms. */
const PAUSE_MS = 5000;

/** The endpoints of the file, which may change in place. */
@Injectable()
export class WatchedEndpoints implements OnModuleInit, BeforeApplicationShutdown {
  private readonly file: WatchedFile<Endpoint[]>;
  private readonly task: PeriodicTask;

  /** @throws ConfigurationError if the file is invalid at the start */
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

  /** Loads the file before the first event, which must go to every listed endpoint. */
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

  /** Applies the current file and records its endpoints for the other replicas. */
  async reload(): Promise<void> {
    const isChanged = this.file.reload();
    const names = this.all().map(({ name }) => name);
    if (isChanged) this.logger.info({ endpoints: names }, 'webhook endpoints changed');
    await this.repository.list(this.all());
  }
}
