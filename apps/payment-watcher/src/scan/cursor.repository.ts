import type { BlockPointer } from '@maker/chain';
import { Connection, EntityCollection, EntitySchema, type Lease, LeaseLostError } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';

/** Where scanning goes on. */
export interface ScanCursor {
  /** The newest blocks scanned, oldest first, each the parent of the next; the last is the cursor. Empty before the first block. */
  readonly blocks: readonly BlockPointer[];
  /** The last block that was never scanned because the node no longer had it; -1 if all were. */
  readonly lastMissedBlock: number;
}

const REMEMBERED_BLOCKS = 64;
const ID = 'scan';

interface KeptCursor extends Partial<ScanCursor> {
  readonly id: typeof ID;
  /** Token of the lease whose owner writes it. */
  readonly fence?: number;
}

const schema = new EntitySchema<KeptCursor>('chain_cursors', {
  blocks: [{ _id: false, number: Number, hash: String, timestampMs: Number }],
  lastMissedBlock: Number,
  fence: Number,
});

const next = (block: BlockPointer) => ({ $push: { blocks: { $each: [block], $slice: -REMEMBERED_BLOCKS } } });

/** The chain cursor: written in the same transaction as what its block held, and alone where it held nothing. */
@Injectable()
export class CursorRepository {
  private readonly rows;

  constructor(connection: Connection) {
    this.rows = new EntityCollection(connection, schema).rows;
  }

  async read(): Promise<ScanCursor> {
    return cursorOf(await this.rows.findById(ID).lean<Partial<ScanCursor>>());
  }

  /** Reads the cursor for a new scanner: from here on the one before it cannot move it. */
  async takeOver({ token }: Lease, session: ClientSession): Promise<ScanCursor> {
    const row = await this.rows
      .findOneAndUpdate({ _id: ID }, { $set: { fence: token } }, { upsert: true, returnDocument: 'after', session })
      .lean<Partial<ScanCursor>>();
    return cursorOf(row);
  }

  /** Moves to the next block. */
  async advance(block: BlockPointer, session: ClientSession): Promise<void> {
    await this.rows.updateOne({ _id: ID }, next(block), { session });
  }

  /** Moves to the next block, of which nothing else is written. @throws LeaseLostError */
  async advanceAlone(block: BlockPointer, { name, token }: Lease): Promise<void> {
    const { matchedCount } = await this.rows.updateOne({ _id: ID, fence: token }, next(block));
    if (matchedCount === 0) throw new LeaseLostError(name);
  }

  /** Begins anew at a block whose parent was not scanned. */
  async restartAt(block: BlockPointer, lastMissedBlock: number, session: ClientSession): Promise<void> {
    await this.rows.updateOne({ _id: ID }, { $set: { blocks: [block], lastMissedBlock } }, { upsert: true, session });
  }

  /** Goes back to a block; where none that is remembered is left, the given one is. */
  async rewind(ancestor: BlockPointer, session: ClientSession): Promise<void> {
    await this.rows.updateOne({ _id: ID }, { $pull: { blocks: { number: { $gte: ancestor.number } } } }, { session });
    await this.rows.updateOne({ _id: ID }, { $push: { blocks: ancestor } }, { upsert: true, session });
  }
}

function cursorOf(row: Partial<ScanCursor> | null): ScanCursor {
  return { blocks: row?.blocks ?? [], lastMissedBlock: row?.lastMissedBlock ?? -1 };
}
