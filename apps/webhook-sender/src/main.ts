import { parseArgs } from 'node:util';
import { runService } from '@maker/messaging';
import { createLogger, loadConfiguration } from '@maker/service-kit';
import { SENDING_RULES, webhookEnvironment } from './configuration.ts';
import { SERVICE, webhookSenderModule } from './webhook-sender.module.ts';

// For development: endpoints on this machine.
const { values } = parseArgs({ options: { 'any-address': { type: 'boolean', default: false } } });

const configuration = loadConfiguration(webhookEnvironment);
const logger = createLogger(SERVICE, configuration.LOG_LEVEL);

/** Time to save an answer, ms. */
const WRITE_MS = 5_000;

await runService({
  service: SERVICE,
  module: webhookSenderModule(configuration, logger, { ...SENDING_RULES, anyAddress: values['any-address'] }),
  configuration,
  logger,
  longestEndMs: SENDING_RULES.timeoutMs + WRITE_MS,
});
