import { SNAPSHOT_REUSE_MS } from '@maker/contracts';
import { serviceModule } from '@maker/messaging';
import type { DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import { CheckRecipientHandler } from './check-recipient/check-recipient.handler.ts';
import { CONFIGURATION, SNAPSHOT_REUSE, type TokenValidationConfiguration } from './configuration.ts';
import { connectedChainProvider } from './connected-chain.provider.ts';
import { FindUsedAddressesHandler } from './find-used-addresses/find-used-addresses.handler.ts';
import { ReadMarketHandler } from './read-market/read-market.handler.ts';
import { SnapshotsRepository } from './token/snapshots.repository.ts';
import { TokenVerdictsService } from './validate-token/token-verdicts.service.ts';
import { ValidateTokenHandler } from './validate-token/validate-token.handler.ts';
import { ValidationMetrics } from './validation.metrics.ts';

/** Name of this service: its queue group and its label in logs and metrics. */
export const SERVICE = 'token-validation';

/** The Nest module of this service. @param snapshotReuseMs maximum age of a reused snapshot, ms */
export function tokenValidationModule(
  configuration: TokenValidationConfiguration,
  logger: Logger,
  snapshotReuseMs: number = SNAPSHOT_REUSE_MS,
): DynamicModule {
  return serviceModule(SERVICE, configuration, logger, {
    mongoUrl: configuration.MONGO_URL,
    controllers: [ValidateTokenHandler, ReadMarketHandler, FindUsedAddressesHandler, CheckRecipientHandler],
    providers: [
      { provide: CONFIGURATION, useValue: configuration },
      { provide: SNAPSHOT_REUSE, useValue: snapshotReuseMs },
      ValidationMetrics,
      connectedChainProvider,
      SnapshotsRepository,
      TokenVerdictsService,
    ],
  });
}
