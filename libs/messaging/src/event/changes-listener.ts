import { JOB_CHANGES_SUBJECT, type JobChanges, jobChangesSchema } from '@maker/contracts';
import { Logger } from '@maker/service-kit';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';

/** The feeds that tell which jobs were written, as they come. Source: docs/adr/0031. */
@Injectable()
export class ChangesListener {
  private subscription: Subscription | undefined;

  constructor(
    @Inject(NATS_CONNECTION) private readonly nats: NatsConnection,
    private readonly logger: Logger,
  ) {}

  /** Starts listening; call once. The handler must not throw. A message that is not understood is a gap in its feed. */
  listen(handler: (changes: JobChanges) => void): void {
    this.subscription = this.nats.subscribe(JOB_CHANGES_SUBJECT, {
      callback: (error, message) => {
        try {
          if (error) throw error;
          // JetStream can be asked to send an event of anybody here: it keeps the subject of the event then.
          if (message.subject !== JOB_CHANGES_SUBJECT) throw new Error(`the message is of ${message.subject}`);
          handler(jobChangesSchema.parse(message.json()));
        } catch (failure) {
          this.logger.error({ err: failure }, 'invalidation message not understood');
        }
      },
    });
  }

  stop(): void {
    this.subscription?.unsubscribe();
  }
}
