import { type EventSource, FIRST_POSITION, type LogPosition } from '@maker/contracts';
import { Connection, EntityCollection, EntitySchema, isDuplicateKey } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';

interface TakenIn {
  readonly id: string;
  readonly receivedAt: Date;
}

interface LogCursor {
  readonly source: EventSource;
  readonly number: number;
  readonly rowId: string;
}

const RETENTION_SECONDS = 31 * 86_400;

// Kept longer than any outbox keeps its rows, so that no event is applied again after its row here has expired.
const inboxSchema = new EntitySchema<TakenIn>('inbox', { receivedAt: Date });
inboxSchema.index({ receivedAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

const cursorSchema = new EntitySchema<LogCursor, 'source'>(
  'event_cursors',
  { number: Number, rowId: String },
  'source',
);

/** The events that a service has applied, and its cursor in the log of each source. */
@Injectable()
export class Inbox {
  private readonly events: EntityCollection<TakenIn>;
  private readonly cursors: EntityCollection<LogCursor, 'source'>;

  constructor(connection: Connection) {
    this.events = new EntityCollection(connection, inboxSchema);
    this.cursors = new EntityCollection(connection, cursorSchema);
  }

  /** Claims an event in the transaction of its effect. @throws a duplicate key error, {@link isSecondDelivery}, if it was claimed before */
  async claimOne(eventId: string, session: ClientSession): Promise<void> {
    await this.events.insert([{ id: eventId, receivedAt: new Date() }], session);
  }

  /** Claims events in the transaction of their effects. @returns the ids that were never claimed before */
  async claim(eventIds: readonly string[], session: ClientSession): Promise<ReadonlySet<string>> {
    const claimed = await this.unknown(eventIds, session);
    const receivedAt = new Date();
    const taken = [...claimed].map((id) => ({ id, receivedAt }));
    await this.events.insert(taken, session);
    return claimed;
  }

  /** The ids among these that were never claimed. */
  async unknown(eventIds: readonly string[], session: ClientSession | null = null): Promise<Set<string>> {
    if (eventIds.length === 0) return new Set();
    const known = await this.events.rows
      .find({ _id: { $in: eventIds } }, { _id: 1 })
      .session(session)
      .lean();
    const knownIds = new Set(known.map((row) => row._id));
    return new Set(eventIds.filter((id) => !knownIds.has(id)));
  }

  /** The position in a source's log up to which every event is applied or parked. */
  async cursor(source: EventSource): Promise<LogPosition> {
    const [cursor] = await this.cursors.list({ _id: source, number: { $exists: true } });
    return cursor ? { number: cursor.number, id: cursor.rowId } : FIRST_POSITION;
  }

  async setCursor(source: EventSource, { number, id }: LogPosition): Promise<void> {
    await this.cursors.rows.updateOne({ _id: source }, { $set: { number, rowId: id } }, { upsert: true });
  }
}

/** Whether a transaction failed because another delivery of the same event committed first. */
export function isSecondDelivery(error: unknown): boolean {
  return isDuplicateKey(error) && error instanceof Error && error.message.includes('inbox');
}
