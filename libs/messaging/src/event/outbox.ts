import { randomUUID } from 'node:crypto';
import type { Event, EventContract } from '@maker/contracts';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Clock, currentOrigin } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type ClientSession, Schema } from 'mongoose';
import type { z } from 'zod';

/** A recorded event and whether it has been published. */
export interface RecordedEvent extends Omit<Event, 'occurredAt'> {
  readonly occurredAt: Date;
  readonly publishedAt: Date | null;
  /** Why it can never be published as it is; absent for all others. */
  readonly setAside?: string;
}

/** Bytes of an answer to who catches up, well below the 1 MiB that NATS carries unless it is told otherwise. */
const PAGE_BYTES = 512 * 1024;

/** Younger events are in no list, ms: they are on their way by JetStream, and some of that time may not be committed. */
const GRACE_MS = 3000;

/** An event that was published later than this after its time may have been committed after a list had passed it, ms. */
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
  // A row that was never published has no date here, so it never expires.
  .index({ publishedAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/**
 * Events of a service, written in the transaction that changes its state, so that neither exists without the other.
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
   * An event as it will be recorded, with the request and the span that it is prepared in.
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
   * Keeps an event that can never be published out of the way of those behind it. An operator replays it by taking the
   * mark away (docs/runbooks/outbox-not-published.md).
   */
  async setAside(id: string, reason: string): Promise<void> {
    await this.events.rows.updateOne({ _id: id }, { $set: { setAside: reason } });
  }

  /** Events that wait for an operator. */
  async countSetAside(): Promise<number> {
    return this.events.rows.countDocuments({ publishedAt: null, setAside: { $exists: true } });
  }

  /** Age of the oldest event in ms that waits to be published; 0 when all are out. */
  async age(): Promise<number> {
    const [oldest] = await this.events.list(WAITING, { sort: { occurredAt: 1 }, limit: 1 });
    return oldest ? Math.max(0, this.clock.now() - oldest.occurredAt.getTime()) : 0;
  }

  /**
   * Events of some types since a time, by (time, id), published or not: what consumers catch up with. Fewer than the
   * limit where they would be more than a message carries; none only when there are no more.
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

  /** Of some ids the events that were recorded; fewer where they would be more than a message carries. */
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
