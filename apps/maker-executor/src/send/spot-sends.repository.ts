import { Connection, insertRows, rowSchema } from '@maker/persistence';
import type { SignedSpotSend } from '@maker/signing/private';
import { Injectable } from '@nestjs/common';
import { type ClientSession, type Model, Schema } from 'mongoose';

/** Where a transfer on HyperCore stands: its end is not known, it was done, or HyperCore refused it. */
export type SpotSendState = 'signed' | 'done' | 'refused';

/** A signed transfer of a wallet on HyperCore: stored before it is posted, and posted again as it is. */
export interface SpotSendRecord {
  /** The job and the nonce of the action. */
  readonly _id: string;
  readonly jobId: string;
  readonly signed: SignedSpotSend;
  readonly amountWei: string;
  readonly to: string;
  readonly signedAt: Date;
  readonly state: SpotSendState;
  /** HyperCore's own words, where it refused. */
  readonly words?: string;
}

const schema = rowSchema<SpotSendRecord>('spot_sends', {
  _id: String,
  jobId: String,
  signed: Schema.Types.Mixed,
  amountWei: String,
  to: String,
  signedAt: Date,
  state: String,
  words: String,
}).index({ jobId: 1 }, { unique: true, partialFilterExpression: { state: 'signed' } });

/** Transfers on HyperCore in Mongo. A wallet has one at a time whose end is not known. */
@Injectable()
export class SpotSendsRepository {
  private readonly sends: Model<SpotSendRecord>;

  constructor(connection: Connection) {
    this.sends = connection.model<SpotSendRecord>('SpotSend', schema);
  }

  /** The one of a job whose end is not known. */
  async open(jobId: string): Promise<SpotSendRecord | null> {
    return this.sends.findOne({ jobId, state: 'signed' }).lean<SpotSendRecord>();
  }

  /** @throws the duplicate key error of Mongo where one is open already */
  async insert(record: SpotSendRecord, session: ClientSession): Promise<void> {
    await insertRows(this.sends, [record], session);
  }

  async settle(id: string, state: SpotSendState, words?: string): Promise<void> {
    await this.sends.updateOne({ _id: id, state: 'signed' }, { $set: { state, ...(words && { words }) } });
  }
}
