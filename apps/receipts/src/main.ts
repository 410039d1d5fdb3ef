import { runService } from '@maker/messaging';
import { createLogger, loadConfiguration } from '@maker/service-kit';
import { receiptsEnvironment } from './configuration.ts';
import { receiptsModule, SERVICE } from './receipts.module.ts';

const configuration = loadConfiguration(receiptsEnvironment);
const logger = createLogger(SERVICE, configuration.LOG_LEVEL);

await runService({ service: SERVICE, module: receiptsModule(configuration, logger), configuration, logger });
