import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { Hex } from 'viem';

/** A signed receipt and its execution's revision. Readers request its orders by pages. */
export interface StoredReceipt {
  /** The job's id. */
  readonly id: string;
  /** Revision of the execution. */
  readonly revision: number;
  readonly madeAt: Date;
  /** Canonical JSON of a `ReceiptHead`. */
  readonly head: string;
  readonly orderCount: number;
  readonly signature: Hex;
}

const schema = new EntitySchema<StoredReceipt>('signed_receipts', {
  revision: Number,
  madeAt: Date,
  head: String,
  orderCount: Number,
  signature: String,
});

/** The newest signed receipt of each job, in this service's own database. All replicas and readers share it. */
@Injectable()
export class SignedReceiptsRepository {
  private readonly receipts: EntityCollection<StoredReceipt>;

  constructor(connection: Connection) {
    this.receipts = new EntityCollection(connection, schema);
  }

  async find(jobId: string): Promise<StoredReceipt | undefined> {
    const [receipt] = await this.receipts.list({ _id: jobId });
    return receipt;
  }

  async save({ id, ...receipt }: StoredReceipt): Promise<void> {
    await this.receipts.rows.updateOne({ _id: id }, { $set: receipt }, { upsert: true });
  }
}
