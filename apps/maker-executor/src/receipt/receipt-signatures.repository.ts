import type { Execution } from '@maker/execution-records';
import { type Connection, EntityCollection, EntitySchema, isDuplicateKey } from '@maker/persistence';

/** When a job's wallet last signed a receipt, and of which state of the execution. */
interface ReceiptSignature {
  /** The job's id. */
  readonly id: string;
  readonly revision: number;
  readonly signedAt: Date;
}

const schema = new EntitySchema<ReceiptSignature>('receipt_signatures', { revision: Number, signedAt: Date });

/** Time between two signed receipts of a job, ms; one that ended may have one for each of its revisions. */
const PAUSE_MS = 5000;

/** When receipts were signed, in MongoDB, so that all replicas together sign seldom. */
export class ReceiptSignaturesRepository {
  private readonly signatures: EntityCollection<ReceiptSignature>;

  constructor(connection: Connection) {
    this.signatures = new EntityCollection(connection, schema);
  }

  /** Claims the next signature of a job. @returns false where it is too early for one */
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
      // The job has a row, and its time has not come.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
