import { type Event, eventSchema } from '@maker/contracts';
import { Logger } from '@maker/service-kit';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';
import { ForgedEventError } from './event-consumer.ts';
import { eventSubject } from './streams.ts';

/**
 * Passes each published event to every replica, without storage: for snapshots with a limited age.
 * Use EventConsumer if you need each event exactly once.
 */
@Injectable()
export class EventListener {
  private subscriptions: readonly Subscription[] = [];

  constructor(
    @Inject(NATS_CONNECTION) private readonly nats: NatsConnection,
    private readonly logger: Logger,
  ) {}

  /** Starts listening to event types; call once. The handler must not throw. */
  listen(types: readonly string[], handler: (event: Event) => void): void {
    this.subscriptions = types.map((type) =>
      this.nats.subscribe(eventSubject(type), {
        callback: (error, message) => {
          if (error) {
            this.logger.error({ err: error, type }, 'event subscription failed');
            return;
          }
          try {
            const event = eventSchema.parse(message.json());
            if (message.subject !== eventSubject(type) || event.type !== type)
              throw new ForgedEventError(event, message.subject);
            handler(event);
          } catch (failure) {
            this.logger.error({ err: failure, type }, 'invalid event');
          }
        },
      }),
    );
  }

  stop(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
  }
}
