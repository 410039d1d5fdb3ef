import { runService } from '@maker/messaging';
import { createLogger, loadConfiguration } from '@maker/service-kit';
import { paymentWatcherEnvironment } from './configuration.ts';
import { paymentWatcherModule, SERVICE } from './payment-watcher.module.ts';

const configuration = loadConfiguration(paymentWatcherEnvironment);
const logger = createLogger(SERVICE, configuration.LOG_LEVEL);

await runService({ service: SERVICE, module: paymentWatcherModule(configuration, logger), configuration, logger });
