import { runService } from '@maker/messaging';
import { createLogger, loadConfiguration } from '@maker/service-kit';
import { jobEnvironment } from './configuration.ts';
import { jobModule, SERVICE } from './job.module.ts';

const configuration = loadConfiguration(jobEnvironment);
const logger = createLogger(SERVICE, configuration.LOG_LEVEL);

await runService({ service: SERVICE, module: jobModule(configuration, logger), configuration, logger });
