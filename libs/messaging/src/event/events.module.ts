import type { EventSource } from '@maker/contracts';
import { Connection } from '@maker/persistence';
import { Logger, MetricsRegistry, sharedReading } from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';
import { EventMetrics } from '../messaging.metrics.ts';
import { EventConsumer } from './event-consumer.ts';
import { EventLog } from './event-log.ts';
import { EventSubscription } from './event-subscription.ts';
import { eventsController } from './events-controller.ts';
import { Inbox } from './inbox.ts';
import { Outbox } from './outbox.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { ParkedEvents } from './parked-events.ts';

/** Outbox, relay, inbox and subscription, for a service with a database. */
@Global()
@Module({})
export class EventsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    @Optional() @Inject(OutboxRelay) private readonly relay: OutboxRelay | undefined,
    private readonly subscription: EventSubscription,
  ) {}

  /** @param source the service's name as a source of events; undefined when it records none */
  static forRoot(source: EventSource | undefined): DynamicModule {
    return {
      module: EventsModule,
      controllers: source === undefined ? [] : [eventsController(source)],
      providers: [
        Outbox,
        EventLog,
        Inbox,
        ParkedEvents,
        {
          provide: EventMetrics,
          inject: [MetricsRegistry, EventLog, ParkedEvents],
          useFactory: (registry: MetricsRegistry, log: EventLog, parked: ParkedEvents) =>
            new EventMetrics(registry, {
              outboxAgeMs: () => log.age(),
              setAside: () => log.countSetAside(),
              parked: sharedReading(() => parked.count()),
            }),
        },
        ...(source === undefined ? [] : [relayOf(source)]),
        EventConsumer,
        EventSubscription,
      ],
      exports: [Outbox, EventConsumer],
    };
  }

  onApplicationBootstrap(): void {
    this.relay?.start();
    this.subscription.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.subscription.stop();
    await this.relay?.stop();
  }
}

function relayOf(source: EventSource) {
  return {
    provide: OutboxRelay,
    inject: [Outbox, EventLog, Connection, NATS_CONNECTION, Logger, EventMetrics],
    useFactory: (
      outbox: Outbox,
      log: EventLog,
      mongo: Connection,
      nats: NatsConnection,
      logger: Logger,
      metrics: EventMetrics,
    ) => new OutboxRelay({ source, outbox, log, mongo, nats, logger, metrics }),
  };
}
