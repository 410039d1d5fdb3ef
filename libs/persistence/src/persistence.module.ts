import { setTimeout as wait } from 'node:timers/promises';
import { LOGGER, MetricsRegistry, Readiness } from '@maker/service-kit';
import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import mongoose, { type Connection } from 'mongoose';
import type { Logger } from 'pino';
import { Leases } from './leases.ts';
import { MongoMetrics } from './persistence.metrics.ts';

/** Injection token of the service's mongoose connection: `@Inject(MONGO_CONNECTION) connection: Connection`. */
export const MONGO_CONNECTION = Symbol('MONGO_CONNECTION');

const READY = 1;

/** Opens the service's one Mongo connection (majority, journaled) and closes it last. */
@Global()
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
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

  async onApplicationShutdown(): Promise<void> {
    await this.connection.close();
  }
}

const RETRY_MS = 1000;

async function openConnection(url: string, logger: Logger, readiness: Readiness): Promise<Connection> {
  for (;;) {
    const connection = mongoose.createConnection(url, {
      w: 'majority',
      journal: true,
      readConcernLevel: 'majority',
      serverSelectionTimeoutMS: 5000,
      autoIndex: false,
      monitorCommands: true,
    });
    try {
      await connection.asPromise();
      readiness.add('mongo', async () => {
        if (connection.readyState !== READY) throw new Error('not connected');
        await connection.db?.command({ ping: 1 });
      });
      return connection;
    } catch (error) {
      logger.warn({ err: error }, `Mongo is not reachable; trying again in ${RETRY_MS} ms`);
      await connection.destroy();
      await wait(RETRY_MS);
    }
  }
}
