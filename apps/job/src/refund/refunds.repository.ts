import { AMOUNT, Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Refund } from './refund.ts';

type StoredRefund = Refund & { readonly createdAt: Date };

const schema = new EntitySchema<StoredRefund, 'refundId'>(
  'returns',
  {
    jobId: String,
    depositIds: [String],
    amountWei: AMOUNT,
    activated: Boolean,
    to: String,
    status: String,
    reason: String,
    absent: Boolean,
    returnedWei: AMOUNT,
    transactionHash: String,
    createdAt: Date,
  },
  'refundId',
)
  .index({ jobId: 1, createdAt: 1 })
  .index({ status: 1 });

/** Most refunds in the answer about one job. */
const MOST_REFUNDS_LISTED = 200;

type RefundOutcome = Pick<Refund, 'status'> &
  Partial<Pick<Refund, 'to' | 'reason' | 'absent' | 'returnedWei' | 'transactionHash'>>;

/** Refunds of deposits that pay for no order, in MongoDB. */
@Injectable()
export class RefundsRepository {
  private readonly refunds: EntityCollection<StoredRefund, 'refundId'>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.refunds = new EntityCollection(connection, schema);
  }

  async insert(refunds: readonly Refund[], session: ClientSession): Promise<void> {
    const createdAt = new Date(this.clock.now());
    const rows = refunds.map((refund) => ({ ...refund, createdAt }));
    await this.refunds.insert(rows, session);
  }

  /** Writes the outcome of refunds. A returned refund never changes. */
  async settle(refundIds: readonly string[], outcome: RefundOutcome, session: ClientSession): Promise<void> {
    const update = {
      $set: schema.stored(outcome),
      ...(outcome.status !== 'held' && { $unset: { reason: 1 } as const }),
    };
    await this.refunds.update({ _id: { $in: [...refundIds] }, status: { $ne: 'returned' } }, update, session);
  }

  /**
   * Removes a deposit from a held refund whose money was absent, because the deposit was mined again and gets a new refund.
   * @returns whether it was part of such a refund
   */
  async withdraw(refundId: string, depositId: string, amountWei: bigint, session: ClientSession): Promise<boolean> {
    const filter = { _id: refundId, status: 'held', absent: true, depositIds: depositId };
    const [refund] = await this.refunds.list(filter, { session });
    if (!refund) return false;
    const rest = schema.stored({ amountWei: refund.amountWei - amountWei });
    await this.refunds.update(filter, { $set: rest, $pull: { depositIds: depositId } }, session);
    return true;
  }

  /** The newest refunds of a job, oldest first. Strangers can cause any number, and the size of an answer is limited. */
  async ofJob(jobId: string): Promise<Refund[]> {
    const newestFirst = { createdAt: -1, _id: -1 } as const;
    const filter = { jobId, depositIds: { $ne: [] } };
    return (await this.refunds.list(filter, { sort: newestFirst, limit: MOST_REFUNDS_LISTED })).reverse();
  }

  /** Refunds of several jobs, by job. */
  async ofJobs(jobIds: readonly string[]): Promise<ReadonlyMap<string, Refund[]>> {
    // Without refunds whose deposits were all removed.
    const filter = { jobId: { $in: [...jobIds] }, depositIds: { $ne: [] } };
    const refunds: Refund[] = await this.refunds.list(filter, { sort: { createdAt: 1, _id: 1 } });
    return Map.groupBy(refunds, ({ jobId }) => jobId);
  }
}
