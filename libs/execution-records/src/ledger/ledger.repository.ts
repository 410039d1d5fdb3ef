import { AMOUNT, type Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import type { ClientSession } from 'mongoose';
import { addEntries, EMPTY_TOTALS, type LedgerEntry, type LedgerTotals } from './ledger-entry.ts';

const schema = new EntitySchema<LedgerEntry>('ledger_entries', {
  jobId: String,
  kind: String,
  asset: String,
  from: String,
  to: String,
  amountWei: AMOUNT,
  transactionHash: String,
  blockNumber: Number,
  recordedAt: Date,
}).index({ jobId: 1, _id: 1 });

/** The append-only ledger in MongoDB. */
export class LedgerRepository {
  private readonly entries: EntityCollection<LedgerEntry>;

  constructor(connection: Connection) {
    this.entries = new EntityCollection(connection, schema);
  }

  /** @throws MongoDB's duplicate key error if an entry was booked already */
  async append(entries: readonly LedgerEntry[], session: ClientSession): Promise<void> {
    await this.entries.insert(entries, session);
  }

  /** Entries of a job after an id, by id. */
  async list(jobId: string, afterId: string | undefined, limit: number): Promise<readonly LedgerEntry[]> {
    const filter = afterId === undefined ? { jobId } : { jobId, _id: { $gt: afterId } };
    return this.entries.list(filter, { sort: { _id: 1 }, limit });
  }

  /** Sums of a job's entries, added up from the entries themselves. */
  async sum(jobId: string): Promise<LedgerTotals> {
    let totals = EMPTY_TOTALS;
    for await (const entry of this.entries.each({ jobId })) totals = addEntries(totals, [entry]);
    return totals;
  }
}
