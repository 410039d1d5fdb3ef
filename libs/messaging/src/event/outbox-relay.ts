import { type Event, eventSchema } from '@maker/contracts';
import { Connection, onCommit } from '@maker/persistence';
import { Logger, PeriodicTask } from '@maker/service-kit';
import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';
import { EventMetrics } from '../messaging.metrics.ts';
import { Outbox } from './outbox.ts';
import { eventSubject } from './streams.ts';

const BATCH = 100;
/** Pause without a commit, ms. A commit wakes its process's relay immediately; this poll finds events of a process that died. */
const IDLE_MS = 15_000;
const RETRY_MS = 1000;
/** The server's default limit of a message, bytes. */
const DEFAULT_MAX_PAYLOAD = 1024 * 1024;
/** Room for a message's headers, and for the envelope of the event in an answer to the catch-up. */
const HEADROOM_BYTES = 4096;

/**
 * Publishes the events of the outbox, oldest first, until JetStream has acknowledged them; JetStream drops duplicates. It sets
 * aside a row that no server would ever accept, for an operator, so that later rows do not wait for it.
 */
@Injectable()
export class OutboxRelay {
  private readonly task: PeriodicTask;
  private readonly client: JetStreamClient;

  constructor(
    private readonly outbox: Outbox,
    mongo: Connection,
    @Inject(NATS_CONNECTION) private readonly nats: NatsConnection,
    private readonly logger: Logger,
    private readonly metrics: EventMetrics,
  ) {
    this.client = jetstream(nats);
    this.task = new PeriodicTask('outbox relay', IDLE_MS, logger, () => this.publishBatch(), RETRY_MS);
    onCommit(mongo, () => this.task.wake());
  }

  start(): void {
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  private async publishBatch(): Promise<boolean> {
    const events = await this.outbox.unpublished(BATCH);
    // All are sent before the first acknowledgement; one connection keeps their order.
    const published = (await Promise.all(events.map((event) => this.publish(event)))).flat();
    if (published.length > 0) await this.outbox.markPublished(published);
    return events.length === BATCH;
  }

  /** @returns the id of an event that JetStream has acknowledged; empty for one that was set aside */
  private async publish(event: Event): Promise<readonly string[]> {
    const body = JSON.stringify(event);
    const reason = this.refusalOf(event, body);
    if (reason !== undefined) {
      await this.outbox.setAside(event.id, reason);
      this.logger.error({ eventId: event.id, type: event.type, jobId: event.jobId, reason }, 'event set aside');
      return [];
    }
    await this.client.publish(eventSubject(event.type), body, { msgID: event.id });
    this.metrics.publishedOne(event.type);
    return [event.id];
  }

  /** The reason why no retry can publish an event; undefined if it only waits for the server. */
  private refusalOf(event: Event, body: string): string | undefined {
    const { error } = eventSchema.safeParse(event);
    if (error) return `it is not a valid event: ${error.message}`;
    const bytes = Buffer.byteLength(body);
    const most = (this.nats.info?.max_payload ?? DEFAULT_MAX_PAYLOAD) - HEADROOM_BYTES;
    return bytes > most ? `it has ${bytes} bytes, and a message may have ${most}` : undefined;
  }
}
