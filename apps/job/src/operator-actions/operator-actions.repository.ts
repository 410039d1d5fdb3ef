import type { OperatorActionEntry } from '@maker/contracts';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import { type ClientSession, Types } from 'mongoose';

type OperatorAction = Omit<OperatorActionEntry, 'at'> & { readonly id: string; readonly at: Date };

const schema = new EntitySchema<OperatorAction>('operator_actions', {
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
  private readonly actions: EntityCollection<OperatorAction>;

  constructor(connection: Connection) {
    this.actions = new EntityCollection(connection, schema);
  }

  async append(entry: Omit<OperatorActionEntry, 'at'>, at: Date, session: ClientSession): Promise<void> {
    await this.actions.insert([{ ...entry, id: new Types.ObjectId().toHexString(), at }], session);
  }

  /** Newest first. */
  async list(limit: number): Promise<OperatorActionEntry[]> {
    const actions = await this.actions.list({}, { sort: { at: -1, _id: -1 }, limit });
    return actions.map(({ id: _, at, ...same }) => ({ ...same, at: at.toISOString() }));
  }
}
