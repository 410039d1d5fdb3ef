import { runService } from '@maker/messaging';
import { createLogger, loadConfiguration } from '@maker/service-kit';
import { webhookEnvironment } from './configuration.ts';
import { SERVICE, webhookSenderModule } from './webhook-sender.module.ts';

const configuration = loadConfiguration(webhookEnvironment);
const logger = createLogger(SERVICE, configuration.LOG_LEVEL);

/** For the answer to be written down. */
const WRITE_MS = 5_000;

await runService({
  service: SERVICE,
  module: webhookSenderModule(configuration, logger),
  configuration,
  logger,
  longestEndMs: configuration.WEBHOOK_TIMEOUT_SECONDS * 1000 + WRITE_MS,
});
