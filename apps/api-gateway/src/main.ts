import {
  closeOnSignal,
  createLogger,
  exitOnUnhandled,
  loadConfiguration,
  Readiness,
  startTracing,
  withholdMemoryFromCoreFiles,
} from '@maker/service-kit';
import { gatewayEnvironment } from './configuration.ts';
import { SERVICE } from './gateway.module.ts';
import { createHttpApplication } from './http-application.ts';

const configuration = loadConfiguration(gatewayEnvironment);
const logger = createLogger(SERVICE, configuration.LOG_LEVEL);
exitOnUnhandled(logger);
withholdMemoryFromCoreFiles(logger);

try {
  await startTracing(SERVICE, configuration, logger);
  const app = await createHttpApplication(configuration, logger);
  await app.listen(configuration.HTTP_PORT, configuration.HTTP_HOST);
  closeOnSignal(app, configuration.SHUTDOWN_DRAIN_MS, logger);
  app.get(Readiness, { strict: false }).started();
  logger.info({ port: configuration.HTTP_PORT }, 'started');
} catch (error) {
  logger.fatal({ err: error }, `${SERVICE} could not start`);
  process.exit(1);
}
