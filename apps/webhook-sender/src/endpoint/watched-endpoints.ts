import { readFileSync } from 'node:fs';
import { ConfigurationError, Logger, PeriodicTask } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SENDING, type SendingRules, WEBHOOK_CONFIGURATION, type WebhookConfiguration } from '../configuration.ts';
import { WebhookMetrics } from '../webhook.metrics.ts';
import { type Endpoint, parseEndpoints } from './endpoint.ts';
import { EndpointsRepository } from './endpoints.repository.ts';

/** Between two reads of the file, ms. */
const PAUSE_MS = 5000;

/**
 * The endpoints of a file that may change in place, as a mounted Secret does. A file that cannot be used leaves them as they are. It is
 * read again and again, since a mounted Secret is replaced by links, of which not every file system tells.
 */
@Injectable()
export class WatchedEndpoints implements OnModuleInit, BeforeApplicationShutdown {
  private endpoints: readonly Endpoint[];
  private text: string;
  private refusal: string | undefined;
  private readonly task: PeriodicTask;

  /** @throws ConfigurationError when the file cannot be used from the start */
  constructor(
    @Inject(WEBHOOK_CONFIGURATION) private readonly configuration: WebhookConfiguration,
    @Inject(SENDING) private readonly rules: SendingRules,
    private readonly logger: Logger,
    private readonly repository: EndpointsRepository,
    private readonly metrics: WebhookMetrics,
  ) {
    this.text = this.read();
    this.endpoints = this.parse(this.text);
    metrics.endpointFileRefused(false);
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
    return this.endpoints;
  }

  /** Takes over what the file holds now, and tells the other replicas. */
  async reload(): Promise<void> {
    try {
      const text = this.read();
      if (text !== this.text) {
        this.endpoints = this.parse(text);
        this.text = text;
        this.logger.info({ endpoints: this.endpoints.map(({ name }) => name) }, 'webhook endpoints changed');
      }
      this.refusal = undefined;
      this.metrics.endpointFileRefused(false);
    } catch (error) {
      this.metrics.endpointFileRefused(true);
      const refusal = String(error);
      if (refusal !== this.refusal) {
        this.logger.error({ err: error }, 'webhook endpoints file rejected, keeping the earlier endpoints');
      }
      this.refusal = refusal;
    }
    await this.repository.list(this.endpoints.map(({ name }) => name));
  }

  private read(): string {
    try {
      return readFileSync(this.configuration.WEBHOOK_ENDPOINTS_FILE, 'utf8');
    } catch {
      throw new ConfigurationError(['WEBHOOK_ENDPOINTS_FILE cannot be read']);
    }
  }

  private parse(text: string): Endpoint[] {
    return parseEndpoints(text, this.rules.anyAddress);
  }
}
