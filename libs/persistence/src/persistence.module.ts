import { Logger, MetricsRegistry, Readiness } from '@maker/service-kit';
import { type DynamicModule, Global, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Connection } from './connection.ts';
import { createIndexes } from './create-indexes.ts';
import { Leases } from './leases.ts';
import { openConnection } from './open-connection.ts';
import { MongoMetrics } from './persistence.metrics.ts';

/** Opens the service's one Mongo connection (majority, journaled) and closes it last. */
@Global()
@Module({})
export class PersistenceModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly connection: Connection) {}

  /** @param options.url see {@link mongoEnvironment} */
  static forRoot({ url }: { url: string }): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [
        {
          provide: Connection,
          inject: [Logger, Readiness, MetricsRegistry],
          useFactory: async (logger: Logger, readiness: Readiness, registry: MetricsRegistry) => {
            const metrics = new MongoMetrics(registry);
            const connection = await openConnection(url, logger, readiness);
            metrics.follow(connection);
            return connection;
          },
        },
        Leases,
      ],
      exports: [Connection, Leases],
    };
  }

  /** Creates the indexes before the service starts to work. */
  async onModuleInit(): Promise<void> {
    await createIndexes(this.connection);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection.close();
  }
}
