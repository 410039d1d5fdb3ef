import { JOB_CHANGES_SUBJECT, type JobChanges, jobChangesSchema } from '@maker/contracts';
import { Logger } from '@maker/service-kit';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';

/** Listens to the feeds of changed jobs. Source: docs/adr/0031. */
@Injectable()
export class ChangesListener {
  private subscription: Subscription | undefined;

  constructor(
    @Inject(NATS_CONNECTION) private readonly nats: NatsConnection,
    private readonly logger: Logger,
  ) {}

  /** Starts listening; call once. The handler must not throw. An invalid message is a gap in its feed. */
  listen(handler: (changes: JobChanges) => void): void {
    this.subscription = this.nats.subscribe(JOB_CHANGES_SUBJECT, {
      callback: (error, message) => {
        try {
          if (error) throw error;
          // JetStream can deliver any event to this subject on request; the message then keeps the event's subject.
          if (message.subject !== JOB_CHANGES_SUBJECT) throw new Error(`the message is of ${message.subject}`);
          handler(jobChangesSchema.parse(message.json()));
        } catch (failure) {
          this.logger.error({ err: failure }, 'invalid invalidation message');
        }
      },
    });
  }

  stop(): void {
    this.subscription?.unsubscribe();
  }
}
