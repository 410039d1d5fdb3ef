import { Logger, Readiness } from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { connectionOptions, type NatsConfiguration } from './connection/nats-configuration.ts';
import { NATS_CONNECTION, openConnection } from './connection/nats-connection.ts';
import { ChangesListener } from './event/changes-listener.ts';
import { NatsMetrics } from './messaging.metrics.ts';
import { InboxClient } from './request/inbox-client.ts';
import { RequestClient } from './request/request-client.ts';

/** Settings of a service's connection to NATS. */
export interface MessagingOptions {
  readonly service: string;
  readonly nats: NatsConfiguration;
  /** Default time limit of requests, ms. */
  readonly requestTimeoutMs?: number | undefined;
}

/** Requests to other services, and the feeds of changes. Services with a database also import EventsModule. */
@Global()
@Module({})
export class MessagingModule implements OnApplicationShutdown {
  constructor(
    private readonly client: InboxClient,
    @Inject(NATS_CONNECTION) private readonly connection: NatsConnection,
    private readonly changes: ChangesListener,
  ) {}

  static forRoot({ service, nats, requestTimeoutMs }: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      providers: [
        NatsMetrics,
        ChangesListener,
        {
          provide: NATS_CONNECTION,
          inject: [Logger, Readiness, NatsMetrics],
          useFactory: (logger: Logger, readiness: Readiness, metrics: NatsMetrics) =>
            openConnection(service, nats, { logger, readiness, metrics }),
        },
        {
          provide: InboxClient,
          inject: [Readiness, NatsMetrics],
          useFactory: async (readiness: Readiness, metrics: NatsMetrics) => {
            const client = new InboxClient(service, connectionOptions(service, nats), metrics);
            // Concurrent first requests would each open a connection.
            await client.connect();
            readiness.add('nats requests', () => client.unwrap<NatsConnection>().flush());
            return client;
          },
        },
        {
          provide: RequestClient,
          inject: [InboxClient, NatsMetrics],
          useFactory: (client: InboxClient, metrics: NatsMetrics) =>
            new RequestClient(client, metrics, requestTimeoutMs),
        },
      ],
      exports: [NATS_CONNECTION, RequestClient, ChangesListener],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.changes.stop();
    await this.client.close();
    await this.connection.drain();
  }
}
