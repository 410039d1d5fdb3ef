import type { EventSource } from '@maker/contracts';
import { MetricsRegistry, SERVICE_NAME, sharedReading } from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';
import { EventMetrics } from '../messaging.metrics.ts';
import { EventCatchUp } from './event-catch-up.ts';
import { EventConsumer } from './event-consumer.ts';
import { eventsController } from './events-controller.ts';
import { Inbox } from './inbox.ts';
import { readBacklog, readDeadLetters } from './jetstream-readings.ts';
import { JetStreamSubscription } from './jetstream-subscription.ts';
import { Outbox } from './outbox.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { RecordedEvents } from './recorded-events.ts';

/** Outbox, inbox, relay, subscription and catch-up, for a service with a database. */
@Global()
@Module({})
export class EventsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly relay: OutboxRelay,
    private readonly subscription: JetStreamSubscription,
    private readonly catchUp: EventCatchUp,
  ) {}

  /** @param source the service's name as a source of events; undefined when it records none */
  static forRoot(source: EventSource | undefined): DynamicModule {
    return {
      module: EventsModule,
      controllers: source === undefined ? [] : [eventsController(source)],
      providers: [
        Outbox,
        Inbox,
        {
          provide: EventMetrics,
          inject: [SERVICE_NAME, MetricsRegistry, Outbox, NATS_CONNECTION],
          useFactory: (service: string, registry: MetricsRegistry, outbox: Outbox, nats: NatsConnection) =>
            new EventMetrics(registry, {
              outboxAgeMs: () => outbox.age(),
              setAside: () => outbox.countSetAside(),
              backlog: sharedReading(() => readBacklog(nats, service)),
              deadLetters: sharedReading(() => readDeadLetters(nats, service)),
            }),
        },
        OutboxRelay,
        RecordedEvents,
        EventConsumer,
        JetStreamSubscription,
        EventCatchUp,
      ],
      exports: [Outbox, EventConsumer],
    };
  }

  onApplicationBootstrap(): void {
    this.relay.start();
    this.subscription.start();
    this.catchUp.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.subscription.stop(), this.catchUp.stop()]);
    await this.relay.stop();
  }
}
