import { type Event, eventSchema } from '@maker/contracts';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';

/**
 * Every event as it is published, to every replica, without memory: for snapshots whose age is bounded anyway.
 * A listener that needs each event exactly once uses EventConsumer.
 */
export class EventListener {
  private subscription: Subscription | undefined;

  constructor(
    private readonly nats: NatsConnection,
    private readonly logger: Logger,
  ) {}

  /** Starts listening; call once. The handler must not throw. */
  listen(handler: (event: Event) => void): void {
    this.subscription = this.nats.subscribe('events.>', {
      callback: (error, message) => {
        if (error) {
          this.logger.error({ err: error }, 'events are not heard');
          return;
        }
        try {
          handler(eventSchema.parse(message.json()));
        } catch (failure) {
          this.logger.error({ err: failure, subject: message.subject }, 'an event was not understood');
        }
      },
    });
  }

  stop(): void {
    this.subscription?.unsubscribe();
  }
}
