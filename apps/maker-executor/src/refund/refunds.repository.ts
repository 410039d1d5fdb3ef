import { AMOUNT, Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Refund, RefundState } from './refund.ts';

const schema = new EntitySchema<Refund>('refunds', {
  jobId: String,
  depositIds: [String],
  amountWei: AMOUNT,
  to: String,
  holdReason: String,
  blockNumber: Number,
  state: String,
  recordedAt: Date,
}).index({ jobId: 1, state: 1 });

/** Refunds in Mongo: deposits that pay for no order. */
@Injectable()
export class RefundsRepository {
  private readonly refunds: EntityCollection<Refund>;

  constructor(connection: Connection) {
    this.refunds = new EntityCollection(connection, schema);
  }

  async find(id: string, session: ClientSession): Promise<Refund | undefined> {
    const [refund] = await this.refunds.list({ _id: id }, { session });
    return refund;
  }

  /** @throws the duplicate key error of Mongo where it is known already */
  async insert(refund: Refund, session: ClientSession): Promise<void> {
    await this.refunds.insert([refund], session);
  }

  /** Refunds of a job, oldest first. */
  async ofJob(jobId: string, states?: readonly RefundState[]): Promise<readonly Refund[]> {
    const filter = states ? { jobId, state: { $in: [...states] } } : { jobId };
    return this.refunds.list(filter, { sort: { recordedAt: 1, _id: 1 } });
  }

  /** Whether every one of some refunds has been heard of. */
  async areKnown(ids: readonly string[]): Promise<boolean> {
    return (await this.refunds.rows.countDocuments({ _id: { $in: [...ids] } })) === ids.length;
  }

  /** All that are held for a job are on their way by an operator's command. @throws Error where it was not so many */
  async releaseHeld(jobId: string, count: number, session: ClientSession): Promise<void> {
    const matched = await this.refunds.update({ jobId, state: 'held' }, { $set: { state: 'released' } }, session);
    if (matched !== count) throw new Error(`${matched} returns of ${jobId} were held, not ${count}`);
  }

  /** @throws Error where it is no longer in the state that the decision saw */
  async enter(refund: Refund, state: RefundState, session: ClientSession, change: Partial<Refund> = {}): Promise<void> {
    const matched = await this.refunds.update(
      { _id: refund.id, state: refund.state },
      { $set: { ...schema.stored(change), state } },
      session,
    );
    if (matched === 0) throw new Error(`The return ${refund.id} is no longer ${refund.state}`);
  }

  /** Takes back what stood for money whose deposit had not been heard of, now that it has. */
  async dropReported(depositIds: readonly string[], session: ClientSession): Promise<void> {
    await this.refunds.rows.deleteMany({ _id: { $in: [...depositIds] }, state: 'reported' }, { session });
  }
}
