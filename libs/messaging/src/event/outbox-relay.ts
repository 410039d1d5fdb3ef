import {
  CHANGES_OF_SOURCE,
  doorbellOf,
  type Event,
  type EventSource,
  type ExecutionChanges,
  eventSchema,
} from '@maker/contracts';
import { type Connection, onCommit } from '@maker/persistence';
import { type Logger, PeriodicTask } from '@maker/service-kit';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { EventMetrics } from '../messaging.metrics.ts';
import type { EventLog } from './event-log.ts';
import type { Outbox } from './outbox.ts';

const BATCH = 100;
/** Pause without a commit, ms. A commit wakes its process's relay immediately; this poll finds events of a process that died. */
const IDLE_MS = 15_000;
const RETRY_MS = 1000;
/** The server's default limit of a message, bytes. */
const DEFAULT_MAX_PAYLOAD = 1024 * 1024;
/** Room for a message's headers, and for the envelope of the event in an answer to a consumer. */
const HEADROOM_BYTES = 4096;

/** What a relay works with. */
export interface RelayParts {
  readonly source: EventSource;
  readonly outbox: Outbox;
  readonly log: EventLog;
  readonly mongo: Connection;
  readonly nats: NatsConnection;
  readonly logger: Logger;
  readonly metrics: EventMetrics;
}

/**
 * Numbers the committed events of the outbox, and rings the doorbell of its service. It sets aside a row that no message can carry,
 * for an operator, so that later rows do not wait for it.
 */
export class OutboxRelay {
  private readonly task: PeriodicTask;
  private doorbell: Subscription | undefined;
  private isWanted = true;

  constructor(private readonly parts: RelayParts) {
    const { mongo, outbox, logger } = parts;
    this.task = new PeriodicTask('outbox relay', IDLE_MS, logger, () => this.numberBatch(), RETRY_MS);
    onCommit(mongo, (session) => {
      if (!outbox.hasWritten(session)) return;
      this.isWanted = true;
      this.task.wake();
    });
  }

  start(): void {
    const { nats, source, log } = this.parts;
    // Another replica may have numbered the rows.
    this.doorbell = nats.subscribe(doorbellOf(source), { callback: () => log.forgetEnd() });
    this.task.start();
    void this.ringAfterOutages();
  }

  async stop(): Promise<void> {
    this.doorbell?.unsubscribe();
    await this.task.stop();
  }

  private async ringAfterOutages(): Promise<void> {
    const { nats, source, log } = this.parts;
    for await (const { type } of nats.status()) {
      if (type !== 'reconnect') continue;
      log.forgetEnd();
      nats.publish(doorbellOf(source));
    }
  }

  private async numberBatch(): Promise<boolean> {
    const { log, logger, metrics } = this.parts;
    if (!this.isWanted && !(await log.isWaiting())) return false;
    this.isWanted = false;
    const { numbered, refused } = await log.number(BATCH, (event) => this.refusalOf(event));
    for (const [{ id: eventId, type, jobId }, reason] of refused)
      logger.error({ eventId, type, jobId, reason }, 'event set aside');
    for (const { type } of numbered) metrics.publishedOne(type);
    if (numbered.length > 0) this.ring(numbered);
    this.isWanted = numbered.length + refused.size === BATCH;
    return this.isWanted;
  }

  /** Consumers poll as well, so a lost message only costs time. */
  private ring(events: readonly Event[]): void {
    const { nats, source } = this.parts;
    nats.publish(doorbellOf(source));
    const changes = CHANGES_OF_SOURCE[source];
    if (changes === undefined) return;
    const message: ExecutionChanges = { jobIds: [...new Set(events.map(({ jobId }) => jobId))] };
    nats.publish(changes, JSON.stringify(message));
  }

  /** The reason why no retry can deliver an event. */
  private refusalOf(event: Event): string | undefined {
    const { error } = eventSchema.safeParse(event);
    if (error) return `it is not a valid event: ${error.message}`;
    const bytes = Buffer.byteLength(JSON.stringify(event));
    const most = (this.parts.nats.info?.max_payload ?? DEFAULT_MAX_PAYLOAD) - HEADROOM_BYTES;
    return bytes > most ? `it has ${bytes} bytes, and a message may have ${most}` : undefined;
  }
}
