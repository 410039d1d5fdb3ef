import { parseArgs } from 'node:util';
import { runService } from '@maker/messaging';
import { createLogger, loadConfiguration } from '@maker/service-kit';
import { readTranslators, SENDING_RULES, webhookEnvironment } from './configuration.ts';
import { SERVICE, webhookSenderModule } from './webhook-sender.module.ts';

const { values } = parseArgs({
  options: {
    // For development: endpoints on this machine.
    'any-address': { type: 'boolean', default: false },
    'nat64-prefix': { type: 'string', multiple: true, default: [] },
  },
});
const rules = {
  ...SENDING_RULES,
  anyAddress: values['any-address'],
  translators: readTranslators(values['nat64-prefix']),
};

const configuration = loadConfiguration(webhookEnvironment);
const logger = createLogger(SERVICE, configuration.LOG_LEVEL);

/** Time to save an answer, ms. */
const WRITE_MS = 5_000;

await runService({
  service: SERVICE,
  module: webhookSenderModule(configuration, logger, rules),
  configuration,
  logger,
  longestEndMs: SENDING_RULES.timeoutMs + WRITE_MS,
});
