import {
  closeOnSignal,
  createLogger,
  exitOnUnhandled,
  exitWhenLoopsStand,
  loadConfiguration,
  Readiness,
  startTracing,
  withholdMemoryFromCoreFiles,
} from '@maker/service-kit';
import { gatewayEnvironment } from './configuration.ts';
import { SERVICE } from './gateway.module.ts';
import { createHttpApplication } from './http-application.ts';

/**
 * Length of the queue of connections that wait to be accepted. All live channels of a replaced gateway reconnect at the same time. If
 * the queue is full, clients retry after 1, 3, 7 and more seconds. Linux uses the lesser of this and `net.core.somaxconn`.
 */
const MOST_UNACCEPTED = 4096;

const configuration = loadConfiguration(gatewayEnvironment);
const logger = createLogger(SERVICE, configuration.LOG_LEVEL);
exitOnUnhandled(logger);
exitWhenLoopsStand(logger);
withholdMemoryFromCoreFiles(logger);

try {
  await startTracing(SERVICE, configuration, logger);
  const app = await createHttpApplication(configuration, logger);
  const { HTTP_PORT: port, LISTEN_HOST: host } = configuration;
  await app.listen({ port, host, backlog: MOST_UNACCEPTED });
  closeOnSignal(app, { drainMs: configuration.SHUTDOWN_DRAIN_MS }, logger);
  app.get(Readiness, { strict: false }).started();
  logger.info({ port: configuration.HTTP_PORT }, 'started');
} catch (error) {
  logger.fatal({ err: error }, 'start failed');
  process.exit(1);
}
