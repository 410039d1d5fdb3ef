import { createLogger, exitOnUnhandled, loadConfiguration } from '@maker/service-kit';
import { siteEnvironment } from './configuration.ts';
import { startSite } from './start-site.ts';

const configuration = loadConfiguration(siteEnvironment);
const logger = createLogger('site', configuration.LOG_LEVEL);
exitOnUnhandled(logger);

try {
  const site = await startSite(configuration);
  logger.info({ port: site.httpPort }, 'started');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      logger.info({ signal, drainMs: configuration.SHUTDOWN_DRAIN_MS }, 'shutdown started');
      await site.stop(configuration.SHUTDOWN_DRAIN_MS);
      logger.info('stopped');
      process.exit(0);
    });
  }
} catch (error) {
  logger.fatal({ err: error }, 'start failed');
  process.exit(1);
}
