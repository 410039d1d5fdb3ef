import { runService } from '@maker/messaging';
import { createLogger, loadConfiguration } from '@maker/service-kit';
import { makerEnvironment } from './configuration.ts';
import { makerModule, SERVICE } from './maker.module.ts';

const configuration = loadConfiguration(makerEnvironment);
const logger = createLogger(SERVICE, configuration.LOG_LEVEL);

await runService({
  service: SERVICE,
  module: makerModule(configuration, logger),
  configuration,
  logger,
  // Its leases are not renewed any more: what is still under way when they are over belongs to whoever holds the wallets then.
  longestEndMs: configuration.MAKER_LEASE_SECONDS * 1000,
});
