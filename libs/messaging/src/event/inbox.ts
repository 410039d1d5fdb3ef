import { insertRows, isDuplicateKey, rowSchema } from '@maker/persistence';
import { type ClientSession, type Connection, type Model } from 'mongoose';

interface InboxRow {
  _id: string;
  receivedAt: Date;
}

interface CursorRow {
  _id: string;
  since: Date;
}

const RETENTION_SECONDS = 31 * 86_400;

// Kept longer than any outbox keeps its rows, so that no catch-up can bring back what was forgotten here.
const inboxSchema = rowSchema<InboxRow>('inbox', { _id: String, receivedAt: { type: Date, required: true } });
inboxSchema.index({ receivedAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

const cursorSchema = rowSchema<CursorRow>('event_cursors', { _id: String, since: { type: Date, required: true } });

/** Which events a service has taken in, and how far it has swept each source. */
export class Inbox {
  private readonly rows: Model<InboxRow>;
  private readonly cursors: Model<CursorRow>;

  constructor(connection: Connection) {
    this.rows = connection.model<InboxRow>('InboxRow', inboxSchema);
    this.cursors = connection.model<CursorRow>('EventCursor', cursorSchema);
  }

  /** Claims an event in the transaction of its effect. @throws a duplicate key, {@link isSecondDelivery}, where it was taken in before */
  async claimOne(eventId: string, session: ClientSession): Promise<void> {
    await insertRows(this.rows, [{ _id: eventId, receivedAt: new Date() }], session);
  }

  /** Claims events in the transaction of their effects. @returns the ids of those that were never taken in before */
  async claim(eventIds: readonly string[], session: ClientSession): Promise<ReadonlySet<string>> {
    const claimed = await this.unknown(eventIds, session);
    const receivedAt = new Date();
    const rows = [...claimed].map((_id) => ({ _id, receivedAt }));
    await insertRows(this.rows, rows, session);
    return claimed;
  }

  /** The ids among these that were never taken in. */
  async unknown(eventIds: readonly string[], session: ClientSession | null = null): Promise<Set<string>> {
    const known = await this.rows
      .find({ _id: { $in: eventIds } }, { _id: 1 })
      .session(session)
      .lean();
    const knownIds = new Set(known.map((row) => row._id));
    return new Set(eventIds.filter((id) => !knownIds.has(id)));
  }

  async cursor(source: string): Promise<Date> {
    const row = await this.cursors.findById(source).lean();
    return row?.since ?? new Date(0);
  }

  async advanceCursor(source: string, since: Date): Promise<void> {
    await this.cursors.updateOne({ _id: source }, { $max: { since } }, { upsert: true });
  }
}

/** Whether a transaction failed because another delivery of the same event committed first. */
export function isSecondDelivery(error: unknown): boolean {
  return isDuplicateKey(error) && error instanceof Error && error.message.includes('inbox');
}
