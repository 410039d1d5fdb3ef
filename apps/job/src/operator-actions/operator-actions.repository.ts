import type { OperatorActionEntry } from '@maker/contracts';
import { Connection, rowSchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import { type ClientSession, type Model, Types } from 'mongoose';

type OperatorActionRow = Omit<OperatorActionEntry, 'at'> & { _id: string; at: Date };

const schema = rowSchema<OperatorActionRow>('operator_actions', {
  _id: String,
  actionId: String,
  kind: String,
  action: String,
  jobId: String,
  operator: String,
  reason: String,
  to: String,
  outcome: String,
  at: Date,
})
  .index({ at: -1 })
  .index({ actionId: 1, kind: 1 }, { unique: true });

/** The operators' audit log: it can be added to and read, nothing else. */
@Injectable()
export class OperatorActionsRepository {
  private readonly actions: Model<OperatorActionRow>;

  constructor(connection: Connection) {
    this.actions = connection.model<OperatorActionRow>('OperatorAction', schema);
  }

  async append(entry: Omit<OperatorActionEntry, 'at'>, at: Date, session: ClientSession): Promise<void> {
    await this.actions.create([{ ...entry, _id: new Types.ObjectId().toHexString(), at }], { session });
  }

  /** Newest first. */
  async list(limit: number): Promise<OperatorActionEntry[]> {
    const rows = await this.actions.find().sort({ at: -1, _id: -1 }).limit(limit).lean<OperatorActionRow[]>();
    return rows.map(({ _id: _, at, ...same }) => ({ ...same, at: at.toISOString() }));
  }
}
