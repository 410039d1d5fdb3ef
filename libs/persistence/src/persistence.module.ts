import { LOGGER, MetricsRegistry, Readiness } from '@maker/service-kit';
import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { createIndexes } from './create-indexes.ts';
import { Leases } from './leases.ts';
import { openConnection } from './open-connection.ts';
import { MongoMetrics } from './persistence.metrics.ts';

/** Injection token of the service's mongoose connection: `@Inject(MONGO_CONNECTION) connection: Connection`. */
export const MONGO_CONNECTION = Symbol('MONGO_CONNECTION');

/** Opens the service's one Mongo connection (majority, journaled) and closes it last. */
@Global()
@Module({})
export class PersistenceModule implements OnModuleInit, OnApplicationShutdown {
  constructor(@Inject(MONGO_CONNECTION) private readonly connection: Connection) {}

  /** @param options.url see {@link mongoEnvironment} */
  static forRoot({ url }: { url: string }): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [
        {
          provide: MONGO_CONNECTION,
          inject: [LOGGER, Readiness, MetricsRegistry],
          useFactory: async (logger: Logger, readiness: Readiness, registry: MetricsRegistry) => {
            const metrics = new MongoMetrics(registry);
            const connection = await openConnection(url, logger, readiness);
            metrics.follow(connection);
            return connection;
          },
        },
        {
          provide: Leases,
          inject: [MONGO_CONNECTION, MetricsRegistry],
          useFactory: (connection: Connection, registry: MetricsRegistry) => new Leases(connection, registry),
        },
      ],
      exports: [MONGO_CONNECTION, Leases],
    };
  }

  /** Before anything of the service begins to work. */
  async onModuleInit(): Promise<void> {
    await createIndexes(this.connection);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection.close();
  }
}
