import { AMOUNT, type Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import type { SignedSpotSend } from '@maker/signing/private';
import { type ClientSession, Schema } from 'mongoose';

/** Where a transfer on HyperCore stands: its end is not known, it was done, or HyperCore refused it. */
export type SpotSendState = 'signed' | 'done' | 'refused';

/** A signed transfer of a wallet on HyperCore: stored before it is posted, and posted again as it is. */
export interface SpotSendRecord {
  /** The job and the nonce of the action. */
  readonly id: string;
  readonly jobId: string;
  readonly signed: SignedSpotSend;
  readonly amountWei: bigint;
  readonly to: string;
  readonly signedAt: Date;
  readonly state: SpotSendState;
  /** HyperCore's own words, where it refused. */
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

/** Transfers on HyperCore in Mongo. A wallet has one at a time whose end is not known. */
export class SpotSendsRepository {
  private readonly sends: EntityCollection<SpotSendRecord>;

  constructor(connection: Connection) {
    this.sends = new EntityCollection(connection, schema);
  }

  /** The one of a job whose end is not known. */
  async open(jobId: string): Promise<SpotSendRecord | undefined> {
    const [open] = await this.sends.list({ jobId, state: 'signed' });
    return open;
  }

  /** @throws the duplicate key error of Mongo where one is open already */
  async insert(record: SpotSendRecord, session: ClientSession): Promise<void> {
    await this.sends.insert([record], session);
  }

  async settle(id: string, state: SpotSendState, words?: string): Promise<void> {
    await this.sends.rows.updateOne({ _id: id, state: 'signed' }, { $set: { state, ...(words && { words }) } });
  }
}
