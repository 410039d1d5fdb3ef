import { PeriodicTask } from '@maker/service-kit';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import type { GatewayMetrics } from '../gateway.metrics.ts';
import { parseApiKeys, readApiKeyFile } from './api-key-file.ts';
import { ApiKeys } from './api-keys.ts';

/** Between two reads of the file, ms. */
const PAUSE_MS = 5000;

/**
 * The API keys of a file that may change in place, as a mounted Secret does: a key added there is let in within seconds and
 * one removed no longer, without a restart. A file that cannot be used leaves the keys as they are. The file is read
 * again and again, since a mounted Secret is replaced by links, of which not every file system tells.
 */
export class WatchedApiKeys implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly keys: ApiKeys;
  private text: string;
  private refusal: string | undefined;
  private readonly task: PeriodicTask;

  /** @throws ConfigurationError when the file cannot be used from the start */
  constructor(
    private readonly path: string,
    private readonly metrics: GatewayMetrics,
    private readonly logger: Logger,
    pauseMs = PAUSE_MS,
  ) {
    this.text = readApiKeyFile(path);
    this.keys = new ApiKeys(parseApiKeys(this.text));
    metrics.apiKeyFileRefused(false);
    this.task = new PeriodicTask('API keys', pauseMs, logger, async () => this.reload());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Takes over what the file holds now, if it changed. */
  reload(): void {
    try {
      const text = readApiKeyFile(this.path);
      if (text !== this.text) {
        const entries = parseApiKeys(text);
        this.keys.replace(entries);
        this.text = text;
        this.logger.info({ apiKeyNames: entries.map(({ name }) => name) }, 'API keys changed');
      }
      this.refusal = undefined;
      this.metrics.apiKeyFileRefused(false);
    } catch (error) {
      this.metrics.apiKeyFileRefused(true);
      const refusal = String(error);
      if (refusal !== this.refusal) {
        this.logger.error({ err: error }, 'API key file rejected, keeping the earlier keys');
      }
      this.refusal = refusal;
    }
  }
}
