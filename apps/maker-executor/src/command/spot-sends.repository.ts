import { AMOUNT, type Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import type { SignedSpotSend } from '@maker/signing/private';
import { type ClientSession, Schema } from 'mongoose';

/** State of a transfer on HyperCore: result unknown, done, or refused by HyperCore. */
export type SpotSendState = 'signed' | 'done' | 'refused';

/** A signed transfer of a wallet on HyperCore. It is stored before it is posted; a retry posts the same bytes. */
export interface SpotSendRecord {
  /** The job and the nonce of the action. */
  readonly id: string;
  readonly jobId: string;
  readonly signed: SignedSpotSend;
  readonly amountWei: bigint;
  readonly to: string;
  readonly signedAt: Date;
  readonly state: SpotSendState;
  /** HyperCore's reason for a refusal. */
  readonly words?: string;
}

const schema = new EntitySchema<SpotSendRecord>('spot_sends', {
  jobId: String,
  signed: Schema.Types.Mixed,
  amountWei: AMOUNT,
  to: String,
  signedAt: Date,
  state: String,
  words: String,
}).index({ jobId: 1 }, { unique: true, partialFilterExpression: { state: 'signed' } });

/** Transfers on HyperCore in MongoDB. A wallet has at most one transfer with an unknown result. */
export class SpotSendsRepository {
  private readonly sends: EntityCollection<SpotSendRecord>;

  constructor(connection: Connection) {
    this.sends = new EntityCollection(connection, schema);
  }

  /** Reads the transfer of a job whose result is unknown. */
  async open(jobId: string): Promise<SpotSendRecord | undefined> {
    const [open] = await this.sends.list({ jobId, state: 'signed' });
    return open;
  }

  /** @throws MongoDB's duplicate key error if the job already has such a transfer */
  async insert(record: SpotSendRecord, session: ClientSession): Promise<void> {
    await this.sends.insert([record], session);
  }

  async settle(id: string, state: SpotSendState, words?: string): Promise<void> {
    await this.sends.rows.updateOne({ _id: id, state: 'signed' }, { $set: { state, ...(words && { words }) } });
  }
}
