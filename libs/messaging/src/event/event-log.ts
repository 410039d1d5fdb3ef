import { type Event, type EventPage, FIRST_POSITION, type LogPosition } from '@maker/contracts';
import { Connection, EntityCollection, EntitySchema, inTransaction } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { outboxSchema, type RecordedEvent, toEvent } from './outbox.ts';

/** The end of the log: its newest number, and the id of the row that has it. */
interface LogEnd {
  readonly name: string;
  readonly number: number;
  readonly rowId: string;
}

const LOG = 'outbox';

/** Largest answer to a consumer, bytes: well below NATS's default limit of 1 MiB. */
const PAGE_BYTES = 512 * 1024;

/** How long a replica answers by the end of the log that it last saw, ms. A doorbell ends this time. */
const SEEN_MS = 10_000;

/** Rows that wait for a number. */
const WAITING = { number: null, setAside: { $exists: false } };

const endSchema = new EntitySchema<LogEnd, 'name'>('event_logs', { number: Number, rowId: String }, 'name');

/** The outbox as a log: each row gets the next number after its commit, and consumers read the rows after a number. Source: docs/adr/0166. */
@Injectable()
export class EventLog {
  private readonly events: EntityCollection<RecordedEvent>;
  private readonly ends: EntityCollection<LogEnd, 'name'>;
  private seen: { readonly end: LogPosition; readonly atMs: number } | undefined;
  /** Raised by {@link forgetEnd}: a read that began before it is not kept. */
  private generation = 0;

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {
    this.events = new EntityCollection(connection, outboxSchema);
    this.ends = new EntityCollection(connection, endSchema);
  }

  /**
   * Numbers the oldest committed rows in one transaction. Concurrent calls conflict on the end of the log, and all but one repeat with
   * a newer snapshot, so no number is given twice. A row can only follow a row of its job that the same or an earlier snapshot shows.
   * @param refusalOf why no message can carry an event, which an operator must mend first; undefined for all others
   */
  async number(
    limit: number,
    refusalOf: (event: Event) => string | undefined,
  ): Promise<{ readonly numbered: readonly Event[]; readonly refused: ReadonlyMap<Event, string> }> {
    const done = await inTransaction(this.connection, async (session) => {
      const rows = await this.events.list(WAITING, { sort: { sequence: 1 }, limit, session });
      const refused = new Map<Event, string>();
      const numbered: Event[] = [];
      for (const event of rows.map(toEvent)) {
        const reason = refusalOf(event);
        if (reason === undefined) numbered.push(event);
        else refused.set(event, reason);
      }
      for (const [{ id }, setAside] of refused) await this.events.update({ _id: id }, { $set: { setAside } }, session);
      await this.append(numbered, session);
      return { numbered, refused };
    });
    if (done.numbered.length > 0) this.forgetEnd();
    return done;
  }

  /** Whether rows wait for a number. */
  async isWaiting(): Promise<boolean> {
    return (await this.events.rows.exists(WAITING)) !== null;
  }

  /** The log has new rows: the next answer reads the database. */
  forgetEnd(): void {
    this.generation += 1;
    this.seen = undefined;
  }

  /** Age of the oldest event without a number, ms; 0 when all have one. */
  async age(): Promise<number> {
    const [oldest] = await this.events.list(WAITING, { sort: { sequence: 1 }, limit: 1 });
    return oldest ? Math.max(0, this.clock.now() - oldest.occurredAt.getTime()) : 0;
  }

  /** Counts events that no message can carry (docs/runbooks/outbox-not-published.md). */
  async countSetAside(): Promise<number> {
    return this.events.rows.countDocuments({ number: null, setAside: { $exists: true } });
  }

  /**
   * Reads rows after a position. At the end of the log this reads at most one row, by its id. A position of another log, because this
   * database was restored, is answered from the start.
   */
  async read(query: {
    after: LogPosition;
    types: readonly string[];
    limit: number;
    isRung: boolean;
  }): Promise<EventPage> {
    const { after, types, limit, isRung } = query;
    const end = await this.end(isRung);
    if (isSame(after, end)) return { isKnown: true, events: [], upTo: end, isEnd: true };
    const isKnown = await this.has(after);
    // Another replica has answered by a newer end.
    if (isKnown && after.number > end.number) return { isKnown, events: [], upTo: after, isEnd: true };
    const rows = this.events.rows
      .find({ number: { $gt: isKnown ? after.number : 0, $lte: end.number }, type: { $in: types } })
      .sort({ number: 1 })
      .limit(limit)
      .lean<{ _id: string }>();
    const { events, last, isWhole } = await asManyAsFit(rows.cursor());
    const isEnd = last === undefined || (isWhole && events.length < limit);
    return { isKnown, events, upTo: isEnd ? end : last, isEnd };
  }

  private async end(isFresh: boolean): Promise<LogPosition> {
    const { seen, generation } = this;
    if (!isFresh && seen && performance.now() - seen.atMs < SEEN_MS) return seen.end;
    const [found] = await this.ends.list({ _id: LOG });
    const end = found ? { number: found.number, id: found.rowId } : FIRST_POSITION;
    if (generation === this.generation) this.seen = { end, atMs: performance.now() };
    return end;
  }

  private async has({ number, id }: LogPosition): Promise<boolean> {
    return number === 0 || (await this.events.rows.exists({ number, _id: id })) !== null;
  }

  private async append(events: readonly Event[], session: ClientSession): Promise<void> {
    const last = events.at(-1);
    if (!last) return;
    const end = await this.ends.rows
      .findOneAndUpdate(
        { _id: LOG },
        { $inc: { number: events.length }, $set: { rowId: last.id } },
        { session, returnDocument: 'after', upsert: true },
      )
      .lean<Pick<LogEnd, 'number'>>();
    const first = end.number - events.length + 1;
    await this.events.rows.collection.bulkWrite(
      events.map(({ id }, index) => ({
        updateOne: { filter: { _id: id as never }, update: { $set: { number: first + index } } },
      })),
      { session },
    );
  }
}

function isSame(one: LogPosition, other: LogPosition): boolean {
  return one.number === other.number && one.id === other.id;
}

async function asManyAsFit(rows: AsyncIterable<{ _id: string }>) {
  const events: EventPage['events'] = [];
  let bytes = 0;
  for await (const row of rows) {
    const { number = 0, ...recorded } = outboxSchema.toEntity(row);
    const event = toEvent(recorded);
    bytes += Buffer.byteLength(JSON.stringify(event));
    if (bytes > PAGE_BYTES && events.length > 0) return { events, last: positionOf(events), isWhole: false };
    events.push({ number, event });
  }
  return { events, last: positionOf(events), isWhole: true };
}

function positionOf(events: EventPage['events']): LogPosition | undefined {
  const last = events.at(-1);
  return last && { number: last.number, id: last.event.id };
}
