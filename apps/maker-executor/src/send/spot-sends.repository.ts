import { MONGO_CONNECTION } from '@maker/persistence';
import type { SignedSpotSend } from '@maker/signing/private';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientSession, Collection, Connection } from 'mongoose';

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

/** Transfers on HyperCore in Mongo. A wallet has one at a time whose end is not known. */
@Injectable()
export class SpotSendsRepository implements OnModuleInit {
  private readonly sends: Collection<SpotSendRecord>;

  constructor(@Inject(MONGO_CONNECTION) connection: Connection) {
    this.sends = connection.collection<SpotSendRecord>('spot_sends') as unknown as Collection<SpotSendRecord>;
  }

  async onModuleInit(): Promise<void> {
    const open = { unique: true, partialFilterExpression: { state: 'signed' } };
    await this.sends.createIndex({ jobId: 1 }, open);
  }

  /** The one of a job whose end is not known. */
  async open(jobId: string): Promise<SpotSendRecord | null> {
    return this.sends.findOne({ jobId, state: 'signed' });
  }

  /** @throws the duplicate key error of Mongo where one is open already */
  async insert(record: SpotSendRecord, session: ClientSession): Promise<void> {
    await this.sends.insertOne(record, { session });
  }

  async settle(id: string, state: SpotSendState, words?: string): Promise<void> {
    await this.sends.updateOne({ _id: id, state: 'signed' }, { $set: { state, ...(words && { words }) } });
  }
}
