import { randomUUID } from 'node:crypto';
import type { Event, EventContract } from '@maker/contracts';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Clock, currentOrigin } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type ClientSession, mongo, Schema } from 'mongoose';
import type { z } from 'zod';

/** A recorded event. The log of {@link EventLog} adds its number. */
export interface RecordedEvent extends Omit<Event, 'occurredAt'> {
  readonly occurredAt: Date;
  /** The database's timestamp of the insert: it orders the rows of a job, whichever replica writes them. */
  readonly sequence?: mongo.Timestamp;
  /** Place in the log; absent until the relay has given it. */
  readonly number?: number;
  /** The reason why no message can carry it; absent for all other events. */
  readonly setAside?: string;
}

const RETENTION_SECONDS = 30 * 86_400;

/** Rows of the outbox, which are also the rows of the log. */
export const outboxSchema = new EntitySchema<RecordedEvent>('outbox', {
  type: String,
  version: Number,
  occurredAt: Date,
  jobId: String,
  requestId: String,
  traceparent: String,
  data: Schema.Types.Mixed,
  sequence: Schema.Types.Mixed,
  number: Number,
  setAside: String,
});
outboxSchema.index({ number: 1, sequence: 1 });
// A row without a number never expires.
outboxSchema.index(
  { occurredAt: 1 },
  { expireAfterSeconds: RETENTION_SECONDS, partialFilterExpression: { number: { $gt: 0 } } },
);

/** MongoDB replaces it by its own time when it inserts the row. Source: MongoDB manual, 'BSON Types', 'Timestamps'. */
const TIME_OF_INSERT = new mongo.Timestamp({ t: 0, i: 0 });

/**
 * Records a service's events in the transaction that changes its state, so that neither exists without the other.
 * Source: design § 3.
 */
@Injectable()
export class Outbox {
  private readonly events: EntityCollection<RecordedEvent>;
  private readonly written = new WeakSet<ClientSession>();

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.events = new EntityCollection(connection, outboxSchema);
  }

  /** Records an event in the caller's transaction. @throws ZodError when the data does not fit the contract */
  async record<Type extends string, Data extends z.ZodType<Record<string, unknown>>>(
    contract: EventContract<Type, Data>,
    event: { jobId: string; data: z.input<Data> },
    session: ClientSession,
  ): Promise<void> {
    await this.insert([this.prepare(contract, event)], session);
  }

  /** Writes prepared events together, in the caller's transaction. */
  async insert(events: readonly RecordedEvent[], session: ClientSession): Promise<void> {
    if (events.length === 0) return;
    this.written.add(session);
    const rows = events.map((event) => ({ ...outboxSchema.toRow(event), sequence: TIME_OF_INSERT }));
    await this.events.rows.collection.insertMany(rows as never[], { session, ignoreUndefined: true });
  }

  /** Whether a transaction with this session recorded an event. */
  hasWritten(session: ClientSession): boolean {
    return this.written.has(session);
  }

  /**
   * Creates an event to record, with the current request and span.
   * @throws ZodError when the data does not fit the contract
   */
  prepare<Type extends string, Data extends z.ZodType<Record<string, unknown>>>(
    contract: EventContract<Type, Data>,
    event: { jobId: string; data: z.input<Data> },
  ): RecordedEvent {
    return {
      id: randomUUID(),
      type: contract.type,
      version: contract.version,
      occurredAt: new Date(this.clock.now()),
      jobId: event.jobId,
      ...currentOrigin(),
      data: contract.data.parse(event.data),
    };
  }

  /** Finds a recorded event by its id, numbered or not. */
  async find(id: string): Promise<Event | undefined> {
    const [found] = await this.events.list({ _id: id });
    return found && toEvent(found);
  }
}

/** The event of a row, as messages carry it. */
export function toEvent({ sequence: _sequence, number: _number, setAside: _setAside, ...event }: RecordedEvent): Event {
  return { ...event, occurredAt: event.occurredAt.toISOString() };
}
