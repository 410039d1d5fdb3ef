import { runService } from '@maker/messaging';
import { createLogger, loadConfiguration } from '@maker/service-kit';
import { tokenValidationEnvironment } from './configuration.ts';
import { SERVICE, tokenValidationModule } from './token-validation.module.ts';

const configuration = loadConfiguration(tokenValidationEnvironment);
const logger = createLogger(SERVICE, configuration.LOG_LEVEL);

await runService({ service: SERVICE, module: tokenValidationModule(configuration, logger), configuration, logger });
