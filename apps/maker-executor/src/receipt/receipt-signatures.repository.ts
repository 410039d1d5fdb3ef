import type { Execution } from '@maker/execution-records';
import { type Connection, EntityCollection, EntitySchema, isDuplicateKey } from '@maker/persistence';

/** Time of a wallet's last signature under a receipt, and the revision of the execution in it. */
interface ReceiptSignature {
  /** The job's id. */
  readonly id: string;
  readonly revision: number;
  readonly signedAt: Date;
}

const schema = new EntitySchema<ReceiptSignature>('receipt_signatures', { revision: Number, signedAt: Date });

/** Time between two signed receipts of a job, ms. An ended job may also have one for each new revision. */
const PAUSE_MS = 5000;

/** Times of signatures under receipts in MongoDB, which limit all replicas together. */
export class ReceiptSignaturesRepository {
  private readonly signatures: EntityCollection<ReceiptSignature>;

  constructor(connection: Connection) {
    this.signatures = new EntityCollection(connection, schema);
  }

  /** Claims the next signature of a job. @returns false if it is too early */
  async claim({ id, revision, endedAt }: Pick<Execution, 'id' | 'revision' | 'endedAt'>, now: Date): Promise<boolean> {
    const isDue = { signedAt: { $lte: new Date(now.getTime() - PAUSE_MS) } };
    const may = endedAt === null ? [isDue] : [isDue, { revision: { $ne: revision } }];
    try {
      await this.signatures.rows.updateOne(
        { _id: id, $or: may },
        { $set: { revision, signedAt: now } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      // The job has a row that is too recent.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
