import { serviceModule } from '@maker/messaging';
import { MongoMetrics } from '@maker/persistence';
import { Logger, MetricsRegistry, SteadyClock } from '@maker/service-kit';
import type { DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ApiKeys } from './access/api-keys.ts';
import { WatchedApiKeys } from './access/watched-api-keys.ts';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration, REQUEST_TIMEOUT } from './configuration.ts';
import { ErrorBodyFilter } from './errors/error-body.filter.ts';
import { GatewayMetrics } from './gateway.metrics.ts';
import { HealthController } from './health/health.controller.ts';
import { JobsController } from './jobs/jobs.controller.ts';
import { LiveChannelController } from './live-channel/live-channel.controller.ts';
import { LiveChannel } from './live-channel/live-channel.ts';
import { OpenApiController } from './openapi/openapi.controller.ts';
import { OperatorCommandsController } from './operator/operator-commands.controller.ts';
import { OperatorCommands } from './operator/operator-commands.ts';
import { OperatorQueriesController } from './operator/operator-queries.controller.ts';
import { PlansController } from './plans/plans.controller.ts';
import { PlansBulkhead } from './plans/plans-bulkhead.ts';
import { PolledAnswers } from './polled-answers/polled-answers.ts';
import { AdmissionGuard } from './rate-limit/admission.guard.ts';
import { MongoWindows } from './rate-limit/claimed-windows.ts';
import { RateLimit } from './rate-limit/rate-limit.ts';
import { RateLimitStorage } from './rate-limit/rate-limit-storage.ts';
import { UnknownTokens } from './rate-limit/unknown-tokens.ts';
import { ReceiptController } from './receipt/receipt.controller.ts';
import { validationPipe } from './requests/validation.ts';
import { JobStatusReader } from './status-snapshot/job-status.reader.ts';
import { StatusSnapshot } from './status-snapshot/status-snapshot.ts';

/** Name of this service in logs and metrics. */
export const SERVICE = 'api-gateway';

/** The module of the API gateway. @param requestTimeoutMs timeout of requests to other services */
export function gatewayModule(
  configuration: GatewayConfiguration,
  logger: Logger,
  requestTimeoutMs: number,
): DynamicModule {
  return serviceModule(SERVICE, configuration, logger, {
    requestTimeoutMs,
    controllers: [
      PlansController,
      JobsController,
      ReceiptController,
      LiveChannelController,
      OperatorQueriesController,
      OperatorCommandsController,
      HealthController,
      OpenApiController,
    ],
    providers: [
      { provide: GATEWAY_CONFIGURATION, useValue: configuration },
      { provide: REQUEST_TIMEOUT, useValue: requestTimeoutMs },
      {
        provide: WatchedApiKeys,
        inject: [GatewayMetrics, Logger],
        useFactory: (metrics: GatewayMetrics, log: Logger) =>
          new WatchedApiKeys(configuration.API_KEYS_FILE, metrics, log),
      },
      { provide: ApiKeys, inject: [WatchedApiKeys], useFactory: ({ keys }: WatchedApiKeys) => keys },
      { provide: APP_GUARD, useClass: AdmissionGuard },
      { provide: APP_FILTER, useClass: ErrorBodyFilter },
      { provide: APP_PIPE, useFactory: validationPipe },
      {
        provide: RateLimitStorage,
        inject: [GATEWAY_CONFIGURATION, SteadyClock, GatewayMetrics, Logger, MetricsRegistry],
        useFactory: rateLimitStorage,
      },
      GatewayMetrics,
      RateLimit,
      UnknownTokens,
      PlansBulkhead,
      JobStatusReader,
      StatusSnapshot,
      PolledAnswers,
      LiveChannel,
      OperatorCommands,
    ],
  });
}

function rateLimitStorage(
  { MONGO_URL }: GatewayConfiguration,
  clock: SteadyClock,
  metrics: GatewayMetrics,
  logger: Logger,
  registry: MetricsRegistry,
): RateLimitStorage {
  const mongoMetrics = new MongoMetrics(registry);
  if (MONGO_URL === undefined) return new RateLimitStorage(undefined, clock, metrics, logger);
  const { client, windows } = MongoWindows.open(MONGO_URL);
  mongoMetrics.follow({ getClient: () => client });
  return new RateLimitStorage(windows, clock, metrics, logger);
}
