import type { BlockPointer } from '@maker/chain';
import { Connection, EntityCollection, EntitySchema, type Lease, LeaseLostError } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';

/** The position at which the scan continues. */
export interface ScanCursor {
  /** The newest scanned blocks, oldest first, each the parent of the next; the last is the cursor. Empty before the first block. */
  readonly blocks: readonly BlockPointer[];
  /** The last missed block, which the node no longer had; -1 if none. */
  readonly lastMissedBlock: number;
}

const ID = 'scan';

interface KeptCursor extends Partial<ScanCursor> {
  readonly id: typeof ID;
  /** Token of the lease whose owner may write. */
  readonly fence?: number;
}

const schema = new EntitySchema<KeptCursor>('chain_cursors', {
  blocks: [{ _id: false, number: Number, hash: String, timestampMs: Number }],
  lastMissedBlock: Number,
  fence: Number,
});

/** The chain cursor. Each write of the scanner saves it too ({@link FencedWrites}), so unsaved blocks changed nothing. */
@Injectable()
export class CursorRepository {
  private readonly rows;

  constructor(connection: Connection) {
    this.rows = new EntityCollection(connection, schema).rows;
  }

  async read(): Promise<ScanCursor> {
    return cursorOf(await this.rows.findById(ID).lean<Partial<ScanCursor>>());
  }

  /** Reads the cursor for a new scanner. The previous scanner can no longer move it. */
  async takeOver({ token }: Lease, session: ClientSession): Promise<ScanCursor> {
    const row = await this.rows
      .findOneAndUpdate({ _id: ID }, { $set: { fence: token } }, { upsert: true, returnDocument: 'after', session })
      .lean<Partial<ScanCursor>>();
    return cursorOf(row);
  }

  /** @param session of a transaction that has checked the lease */
  async save({ blocks, lastMissedBlock }: ScanCursor, session: ClientSession): Promise<void> {
    await this.rows.updateOne({ _id: ID }, { $set: { blocks, lastMissedBlock } }, { session });
  }

  /** Saves the cursor without a transaction. @throws LeaseLostError */
  async saveAlone({ blocks, lastMissedBlock }: ScanCursor, { name, token }: Lease): Promise<void> {
    const { matchedCount } = await this.rows.updateOne(
      { _id: ID, fence: token },
      { $set: { blocks, lastMissedBlock } },
    );
    if (matchedCount === 0) throw new LeaseLostError(name);
  }
}

function cursorOf(row: Partial<ScanCursor> | null): ScanCursor {
  return { blocks: row?.blocks ?? [], lastMissedBlock: row?.lastMissedBlock ?? -1 };
}
