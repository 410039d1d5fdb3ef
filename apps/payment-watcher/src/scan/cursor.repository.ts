import type { BlockPointer } from '@maker/chain';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
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

const schema = new EntitySchema<Partial<ScanCursor> & { readonly id: typeof ID }>('chain_cursors', {
  blocks: [{ _id: false, number: Number, hash: String, timestampMs: Number }],
  lastMissedBlock: Number,
});

/** The chain cursor: written in the same transaction as what its block held. */
@Injectable()
export class CursorRepository {
  private readonly rows;

  constructor(connection: Connection) {
    this.rows = new EntityCollection(connection, schema).rows;
  }

  async read(): Promise<ScanCursor> {
    const row = await this.rows.findById(ID).lean<Partial<ScanCursor>>();
    return { blocks: row?.blocks ?? [], lastMissedBlock: row?.lastMissedBlock ?? -1 };
  }

  /** Moves to the next block. */
  async advance(block: BlockPointer, session: ClientSession): Promise<void> {
    const blocks = { $each: [block], $slice: -REMEMBERED_BLOCKS };
    await this.rows.updateOne({ _id: ID }, { $push: { blocks } }, { upsert: true, session });
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
