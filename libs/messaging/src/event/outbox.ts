import { randomUUID } from 'node:crypto';
import type { Event, EventContract } from '@maker/contracts';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Clock, currentOrigin } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type ClientSession, Schema } from 'mongoose';
import type { z } from 'zod';

/** A recorded event and its publication. */
export interface RecordedEvent extends Omit<Event, 'occurredAt'> {
  readonly occurredAt: Date;
  readonly publishedAt: Date | null;
  /** The reason why no server would accept it; absent for all other events. */
  readonly setAside?: string;
}

/** Largest answer to a catch-up, bytes: well below NATS's default limit of 1 MiB. */
const PAGE_BYTES = 512 * 1024;

/** Minimum age of listed events, ms: JetStream delivers younger ones, and some transactions of that time may not have committed. */
const GRACE_MS = 3000;

/** Delay of publication from which an event may have been committed after a list had passed its time, ms. */
const LATE_MS = 2000;

/** Rows that a list may have missed. */
const LATE = {
  $or: [{ publishedAt: null }, { $expr: { $gt: [{ $subtract: ['$publishedAt', '$occurredAt'] }, LATE_MS] } }],
};

/** Rows that wait for the relay. */
const WAITING = { publishedAt: null, setAside: { $exists: false } };

const RETENTION_SECONDS = 30 * 86_400;

const schema = new EntitySchema<RecordedEvent>('outbox', {
  type: String,
  version: Number,
  occurredAt: Date,
  jobId: String,
  requestId: String,
  traceparent: String,
  data: Schema.Types.Mixed,
  publishedAt: Date,
  setAside: String,
})
  .index({ publishedAt: 1, occurredAt: 1 })
  .index({ occurredAt: 1, _id: 1 })
  // An unpublished row has no date here, so it never expires.
  .index({ publishedAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/**
 * Records a service's events in the transaction that changes its state, so that neither exists without the other.
 * Source: design § 3.
 */
@Injectable()
export class Outbox {
  private readonly events: EntityCollection<RecordedEvent>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.events = new EntityCollection(connection, schema);
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
    await this.events.insert(events, session);
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
      publishedAt: null,
    };
  }

  /** The oldest events not yet published. */
  async unpublished(limit: number): Promise<Event[]> {
    return (await this.events.list(WAITING, { sort: { occurredAt: 1 }, limit })).map(toEvent);
  }

  async markPublished(ids: readonly string[]): Promise<void> {
    await this.events.update({ _id: { $in: ids } }, { $set: { publishedAt: new Date(this.clock.now()) } });
  }

  /**
   * Marks an event that can never be published, so that later ones do not wait for it. An operator replays it by removing
   * the mark (docs/runbooks/outbox-not-published.md).
   */
  async setAside(id: string, reason: string): Promise<void> {
    await this.events.rows.updateOne({ _id: id }, { $set: { setAside: reason } });
  }

  /** Counts events that wait for an operator. */
  async countSetAside(): Promise<number> {
    return this.events.rows.countDocuments({ publishedAt: null, setAside: { $exists: true } });
  }

  /** Age of the oldest unpublished event, ms; 0 when all are published. */
  async age(): Promise<number> {
    const [oldest] = await this.events.list(WAITING, { sort: { occurredAt: 1 }, limit: 1 });
    return oldest ? Math.max(0, this.clock.now() - oldest.occurredAt.getTime()) : 0;
  }

  /**
   * Lists events of given types since a time, by (time, id), published or not, for consumers' catch-up. Returns fewer than the
   * limit where more would exceed a message, and none only at the end.
   */
  async list(query: {
    since: Date;
    afterId?: string | undefined;
    types: readonly string[];
    limit: number;
    lateOnly?: boolean | undefined;
  }): Promise<Event[]> {
    const from =
      query.afterId === undefined
        ? { occurredAt: { $gte: query.since } }
        : { $or: [{ occurredAt: { $gt: query.since } }, { occurredAt: query.since, _id: { $gt: query.afterId } }] };
    const settled = { occurredAt: { $lt: new Date(this.clock.now() - GRACE_MS) } };
    const rows = this.events.rows
      .find({
        $and: [from, settled, ...(query.lateOnly ? [LATE] : [])],
        type: { $in: query.types },
        setAside: { $exists: false },
      })
      .sort({ occurredAt: 1, _id: 1 })
      .limit(query.limit)
      .lean<{ _id: string }>();
    return asManyAsFit(rows.cursor());
  }

  /** Finds recorded events by id; returns fewer where more would exceed a message. */
  async find(ids: readonly string[]): Promise<Event[]> {
    return asManyAsFit(
      this.events.rows
        .find({ _id: { $in: ids } })
        .lean<{ _id: string }>()
        .cursor(),
    );
  }
}

async function asManyAsFit(rows: AsyncIterable<{ _id: string }>): Promise<Event[]> {
  const events: Event[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const event = toEvent(schema.toEntity(row));
    bytes += Buffer.byteLength(JSON.stringify(event));
    if (bytes > PAGE_BYTES && events.length > 0) break;
    events.push(event);
  }
  return events;
}

function toEvent({ publishedAt: _publishedAt, setAside: _setAside, ...event }: RecordedEvent): Event {
  return { ...event, occurredAt: event.occurredAt.toISOString() };
}
