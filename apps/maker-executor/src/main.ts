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
  // The service renews no lease while it ends. When its leases expire, other replicas own the wallets and finish their work.
  longestEndMs: configuration.MAKER_LEASE_SECONDS * 1000,
});
