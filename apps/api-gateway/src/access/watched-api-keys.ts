import { PeriodicTask, WatchedFile } from '@maker/service-kit';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import type { GatewayMetrics } from '../gateway.metrics.ts';
import { type ApiKeyEntry, parseApiKeys } from './api-key-file.ts';
import { ApiKeys } from './api-keys.ts';

/** Time between two reads of the file, ms. */
const PAUSE_MS = 5000;

/** The API keys of a file. A change of the file takes effect within seconds, without a restart. */
export class WatchedApiKeys implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly keys: ApiKeys;
  private readonly file: WatchedFile<ApiKeyEntry[]>;
  private readonly task: PeriodicTask;

  /** @throws ConfigurationError if the file is not usable at the start */
  constructor(
    path: string,
    metrics: GatewayMetrics,
    private readonly logger: Logger,
    pauseMs = PAUSE_MS,
  ) {
    this.file = new WatchedFile({
      path,
      setting: 'API_KEYS_FILE',
      title: 'API key file',
      parse: parseApiKeys,
      onRead: (isRefused) => metrics.apiKeyFileRefused(isRefused),
      logger,
    });
    this.keys = new ApiKeys(this.file.value);
    this.task = new PeriodicTask('API keys', pauseMs, logger, async () => this.reload());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Replaces the keys if the file changed. */
  reload(): void {
    if (!this.file.reload()) return;
    this.keys.replace(this.file.value);
    this.logger.info({ apiKeyNames: this.file.value.map(({ name }) => name) }, 'API keys changed');
  }
}
