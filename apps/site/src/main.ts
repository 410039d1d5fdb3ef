import { parseArgs } from 'node:util';
import { createLogger, exitOnUnhandled, loadConfiguration } from '@maker/service-kit';
import { siteEnvironment } from './configuration.ts';
import { startSite } from './start-site.ts';

const USAGE =
  'usage: main.js <folder of the builds> [--watch], with --watch for builds that change while they are served';

const configuration = loadConfiguration(siteEnvironment);
const logger = createLogger('site', configuration.LOG_LEVEL);
exitOnUnhandled(logger);

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { watch: { type: 'boolean' } } });
  const [directory] = positionals;
  if (directory === undefined) throw new Error(USAGE);
  const site = await startSite(configuration, { directory, watch: values.watch ?? false });
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
