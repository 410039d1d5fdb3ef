import { onCommit } from '@maker/persistence';
import { PeriodicTask } from '@maker/service-kit';
import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { EventMetrics } from '../messaging.metrics.ts';
import type { Outbox } from './outbox.ts';
import { eventSubject } from './streams.ts';

const BATCH = 100;
const IDLE_MS = 1000;

/** Publishes what the outbox holds, oldest first, until JetStream has acknowledged it; JetStream drops second copies. */
export class OutboxRelay {
  private readonly task: PeriodicTask;
  private readonly client: JetStreamClient;

  constructor(
    private readonly outbox: Outbox,
    mongo: Connection,
    nats: NatsConnection,
    logger: Logger,
    private readonly metrics: EventMetrics,
  ) {
    this.client = jetstream(nats);
    this.task = new PeriodicTask('outbox relay', IDLE_MS, logger, () => this.publishBatch());
    onCommit(mongo, () => this.task.wake());
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async publishBatch(): Promise<boolean> {
    const events = await this.outbox.unpublished(BATCH);
    for (const event of events) {
      await this.client.publish(eventSubject(event.type), JSON.stringify(event), { msgID: event.id });
      this.metrics.publishedOne(event.type);
    }
    if (events.length > 0) await this.outbox.markPublished(events.map((event) => event.id));
    return events.length === BATCH;
  }
}
