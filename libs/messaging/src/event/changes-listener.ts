import {
  CHAIN_REACH_SUBJECT,
  type ChainReachMessage,
  chainReachSchema,
  EXECUTION_CHANGES_SUBJECT,
  type ExecutionChanges,
  executionChangesSchema,
  JOB_CHANGES_SUBJECT,
  type JobChanges,
  jobChangesSchema,
} from '@maker/contracts';
import { Logger } from '@maker/service-kit';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';

/** Listens to the feeds of changed jobs and executions (docs/adr/0031), and to whether the chain can be reached. */
@Injectable()
export class ChangesListener {
  private readonly subscriptions: Subscription[] = [];

  constructor(
    @Inject(NATS_CONNECTION) private readonly nats: NatsConnection,
    private readonly logger: Logger,
  ) {}

  /** Starts listening; call once. The handler must not throw. An invalid message is a gap in its feed. */
  listen(handler: (changes: JobChanges) => void): void {
    this.subscribe(JOB_CHANGES_SUBJECT, jobChangesSchema, handler);
  }

  /** Starts listening to whether the chain can be reached; call once. The handler must not throw. */
  listenToChain(handler: (reach: ChainReachMessage) => void): void {
    this.subscribe(CHAIN_REACH_SUBJECT, chainReachSchema, handler);
  }

  /** Starts listening to jobs whose execution changed; call once. The handler must not throw. */
  listenToExecutions(handler: (changes: ExecutionChanges) => void): void {
    this.subscribe(EXECUTION_CHANGES_SUBJECT, executionChangesSchema, handler);
  }

  stop(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
  }

  private subscribe<Schema extends z.ZodType>(
    subject: string,
    schema: Schema,
    handler: (message: z.output<Schema>) => void,
  ): void {
    const subscription = this.nats.subscribe(subject, {
      callback: (error, message) => {
        try {
          if (error) throw error;
          handler(schema.parse(message.json()));
        } catch (failure) {
          this.logger.error({ err: failure }, 'invalid invalidation message');
        }
      },
    });
    this.subscriptions.push(subscription);
  }
}
