import { randomUUID } from 'node:crypto';
import type { Event, EventContract } from '@maker/contracts';
import { insertRows, rowSchema } from '@maker/persistence';
import { type Clock, currentOrigin } from '@maker/service-kit';
import { type ClientSession, type Connection, type Model, Schema } from 'mongoose';
import type { z } from 'zod';

/** A recorded event and whether it has been published. */
export interface OutboxRow {
  _id: string;
  type: string;
  version: number;
  occurredAt: Date;
  jobId: string;
  requestId?: string;
  traceparent?: string;
  data: Record<string, unknown>;
  publishedAt: Date | null;
  /** Why it can never be published as it is; absent for all others. */
  setAside?: string;
}

/** Bytes of an answer to who catches up, well below the 1 MiB that NATS carries unless it is told otherwise. */
const PAGE_BYTES = 512 * 1024;

/** Rows that wait for the relay. */
const WAITING = { publishedAt: null, setAside: { $exists: false } };

const RETENTION_SECONDS = 30 * 86_400;

const schema = rowSchema<OutboxRow>(
  'outbox',
  {
    _id: String,
    type: { type: String, required: true },
    version: { type: Number, required: true },
    occurredAt: { type: Date, required: true },
    jobId: { type: String, required: true },
    requestId: String,
    traceparent: String,
    data: { type: Schema.Types.Mixed, required: true },
    publishedAt: { type: Date, default: null },
    setAside: String,
  },
  { minimize: false },
);
schema.index({ publishedAt: 1, occurredAt: 1 });
schema.index({ occurredAt: 1, _id: 1 });
// A row that was never published has no date here, so it never expires.
schema.index({ publishedAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/**
 * Events of a service, written in the transaction that changes its state, so that neither exists without the other.
 * Source: design § 3.
 */
export class Outbox {
  private readonly rows: Model<OutboxRow>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.rows = connection.model<OutboxRow>('OutboxRow', schema);
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
  async insert(rows: readonly OutboxRow[], session: ClientSession): Promise<void> {
    await insertRows(this.rows, rows, session);
  }

  /**
   * An event as it will be recorded, with the request and the span that it is prepared in.
   * @throws ZodError when the data does not fit the contract
   */
  prepare<Type extends string, Data extends z.ZodType<Record<string, unknown>>>(
    contract: EventContract<Type, Data>,
    event: { jobId: string; data: z.input<Data> },
  ): OutboxRow {
    const { requestId, traceparent } = currentOrigin();
    return {
      _id: randomUUID(),
      type: contract.type,
      version: contract.version,
      occurredAt: new Date(this.clock.now()),
      jobId: event.jobId,
      ...(requestId === undefined ? {} : { requestId }),
      ...(traceparent === undefined ? {} : { traceparent }),
      data: contract.data.parse(event.data),
      publishedAt: null,
    };
  }

  /** The oldest events not yet published. */
  async unpublished(limit: number): Promise<Event[]> {
    const rows = await this.rows.find(WAITING).sort({ occurredAt: 1 }).limit(limit).lean();
    return rows.map(toEvent);
  }

  async markPublished(ids: readonly string[]): Promise<void> {
    await this.rows.updateMany({ _id: { $in: ids } }, { $set: { publishedAt: new Date(this.clock.now()) } });
  }

  /**
   * Keeps an event that can never be published out of the way of those behind it. An operator replays it by taking the
   * mark away (docs/runbooks/outbox-not-published.md).
   */
  async setAside(id: string, reason: string): Promise<void> {
    await this.rows.updateOne({ _id: id }, { $set: { setAside: reason } });
  }

  /** Events that wait for an operator. */
  async countSetAside(): Promise<number> {
    return this.rows.countDocuments({ publishedAt: null, setAside: { $exists: true } });
  }

  /** Age of the oldest event in ms that waits to be published; 0 when all are out. */
  async age(): Promise<number> {
    const oldest = await this.rows.findOne(WAITING).sort({ occurredAt: 1 }).lean();
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
  }): Promise<Event[]> {
    const from =
      query.afterId === undefined
        ? { occurredAt: { $gte: query.since } }
        : { $or: [{ occurredAt: { $gt: query.since } }, { occurredAt: query.since, _id: { $gt: query.afterId } }] };
    const rows = this.rows
      .find({ ...from, type: { $in: query.types }, setAside: { $exists: false } })
      .sort({ occurredAt: 1, _id: 1 })
      .limit(query.limit)
      .lean();
    const events: Event[] = [];
    let bytes = 0;
    for await (const row of rows.cursor()) {
      const event = toEvent(row);
      bytes += Buffer.byteLength(JSON.stringify(event));
      if (bytes > PAGE_BYTES && events.length > 0) break;
      events.push(event);
    }
    return events;
  }
}

function toEvent(row: OutboxRow): Event {
  return {
    id: row._id,
    type: row.type,
    version: row.version,
    occurredAt: row.occurredAt.toISOString(),
    jobId: row.jobId,
    ...(row.requestId === undefined ? {} : { requestId: row.requestId }),
    ...(row.traceparent === undefined ? {} : { traceparent: row.traceparent }),
    data: row.data,
  };
}
