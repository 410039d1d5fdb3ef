import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock, SteadyClock, SystemClock, SystemSteadyClock } from './clock.ts';
import type { CommonConfiguration } from './environment.ts';
import { Logger } from './logger.ts';
import { MetricsRegistry } from './metrics/metrics-registry.ts';
import { declareServiceMetrics } from './metrics/service-metrics.ts';
import { OpsServer } from './ops-server.ts';
import { Readiness } from './readiness.ts';

/** Injection token of the service's name, such as 'job'. */
export const SERVICE_NAME = Symbol('SERVICE_NAME');

const CONFIGURATION = Symbol('COMMON_CONFIGURATION');

/** Options that a service passes to the kit. */
export interface ServiceKitOptions {
  readonly service: string;
  readonly configuration: CommonConfiguration;
  readonly logger: Logger;
}

/** Provides every module with the logger, the clock, the metrics registry, readiness and the port for operators. */
@Global()
@Module({})
export class ServiceKitModule implements OnModuleInit, OnApplicationShutdown {
  private readonly ops: OpsServer;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: CommonConfiguration,
    private readonly logger: Logger,
    @Inject(SERVICE_NAME) private readonly service: string,
    private readonly registry: MetricsRegistry,
    readiness: Readiness,
  ) {
    this.ops = new OpsServer(readiness, registry);
  }

  static forRoot({ service, configuration, logger }: ServiceKitOptions): DynamicModule {
    return {
      module: ServiceKitModule,
      providers: [
        { provide: SERVICE_NAME, useValue: service },
        { provide: CONFIGURATION, useValue: configuration },
        { provide: Logger, useValue: logger },
        { provide: Clock, useClass: SystemClock },
        { provide: SteadyClock, useClass: SystemSteadyClock },
        Readiness,
        { provide: MetricsRegistry, useFactory: () => new MetricsRegistry() },
      ],
      exports: [SERVICE_NAME, Logger, Clock, SteadyClock, Readiness, MetricsRegistry],
    };
  }

  async onModuleInit(): Promise<void> {
    declareServiceMetrics(this.registry, this.service);
    const port = await this.ops.listen(this.configuration.OPS_PORT, this.configuration.LISTEN_HOST);
    this.logger.info({ port }, `operators' port opened: /livez /readyz /metrics`);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.ops.close();
  }
}
