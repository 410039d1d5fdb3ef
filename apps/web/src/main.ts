import { createLogger, exitOnUnhandled, loadConfiguration } from '@maker/service-kit';
import { webEnvironment } from './configuration.ts';
import { startWeb } from './web-application.ts';

const configuration = loadConfiguration(webEnvironment);
const logger = createLogger('web', configuration.LOG_LEVEL);
exitOnUnhandled(logger);

try {
  const web = await startWeb(configuration);
  logger.info({ port: web.httpPort }, 'started');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      logger.info({ signal, drainMs: configuration.SHUTDOWN_DRAIN_MS }, 'shutting down');
      await web.stop(configuration.SHUTDOWN_DRAIN_MS);
      logger.info('stopped');
      process.exit(0);
    });
  }
} catch (error) {
  logger.fatal({ err: error }, 'web could not start');
  process.exit(1);
}
