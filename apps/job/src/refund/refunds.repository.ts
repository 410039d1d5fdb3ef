import { Connection, rowSchema } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession, Model } from 'mongoose';
import type { Refund } from './refund.ts';

interface RefundRow {
  _id: string;
  jobId: string;
  depositIds: string[];
  amountWei: string;
  activated: boolean;
  to: string | null;
  status: Refund['status'];
  reason?: string;
  absent?: true;
  returnedWei?: string;
  transactionHash?: `0x${string}`;
  createdAt: Date;
}

const refundRowSchema = rowSchema<RefundRow>('returns', {
  _id: String,
  jobId: String,
  depositIds: [String],
  amountWei: String,
  activated: Boolean,
  to: String,
  status: String,
  reason: String,
  absent: Boolean,
  returnedWei: String,
  transactionHash: String,
  createdAt: Date,
})
  .index({ jobId: 1, createdAt: 1 })
  .index({ status: 1 });

/** Refunds in the answer about one job. */
export const MOST_REFUNDS_TOLD = 200;

/** What came of a refund. */
export type RefundOutcome = Pick<Refund, 'status'> &
  Partial<Pick<Refund, 'to' | 'reason' | 'absent' | 'returnedWei' | 'transactionHash'>>;

/** Refunds of deposits that pay for no order, in Mongo. */
@Injectable()
export class RefundsRepository {
  private readonly refunds: Model<RefundRow>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.refunds = connection.model<RefundRow>('Refund', refundRowSchema);
  }

  async insert(refund: Refund, session: ClientSession): Promise<void> {
    const { refundId, depositIds, amountWei, returnedWei: _, ...same } = refund;
    const row = { ...same, _id: refundId, depositIds: [...depositIds], amountWei: amountWei.toString() };
    await this.refunds.create([{ ...row, createdAt: new Date(this.clock.now()) }], { session });
  }

  /** Writes how a refund stands; one that is paid stays so. */
  async settle(refundId: string, outcome: RefundOutcome, session: ClientSession): Promise<void> {
    const { returnedWei, ...same } = outcome;
    const set = { ...same, ...(returnedWei === undefined ? {} : { returnedWei: returnedWei.toString() }) };
    const update = { $set: set, ...(outcome.status === 'held' ? {} : { $unset: { reason: 1 } }) };
    await this.refunds.updateOne({ _id: refundId, status: { $ne: 'returned' } }, update, { session });
  }

  /**
   * Takes a deposit out of a refund that found its money gone, now that the money is back and is refunded anew.
   * @returns whether it was part of one
   */
  async withdraw(refundId: string, depositId: string, amountWei: bigint, session: ClientSession): Promise<boolean> {
    const filter = { _id: refundId, status: 'held' as const, absent: true as const, depositIds: depositId };
    const row = await this.refunds.findOne(filter).session(session).lean<RefundRow>();
    if (!row) return false;
    const rest = { amountWei: (BigInt(row.amountWei) - amountWei).toString() };
    await this.refunds.updateOne(filter, { $set: rest, $pull: { depositIds: depositId } }, { session });
    return true;
  }

  /** The newest refunds of a job, oldest first: strangers can cause any number of them, and an answer holds only so many. */
  async ofJob(jobId: string): Promise<Refund[]> {
    const rows = await this.refunds
      .find({ jobId, depositIds: { $ne: [] } })
      .sort({ createdAt: -1, _id: -1 })
      .limit(MOST_REFUNDS_TOLD)
      .lean<RefundRow[]>();
    return rows.map(fromRow).reverse();
  }

  /** Refunds of several jobs, by job. */
  async ofJobs(jobIds: readonly string[]): Promise<ReadonlyMap<string, Refund[]>> {
    const rows = await this.refunds
      // Without those of which every deposit was taken out.
      .find({ jobId: { $in: jobIds }, depositIds: { $ne: [] } })
      .sort({ createdAt: 1, _id: 1 })
      .lean<RefundRow[]>();
    return Map.groupBy(rows.map(fromRow), ({ jobId }) => jobId);
  }
}

function fromRow({ _id, amountWei, returnedWei, createdAt: _, ...same }: RefundRow): Refund {
  return {
    ...same,
    refundId: _id,
    amountWei: BigInt(amountWei),
    ...(returnedWei === undefined ? {} : { returnedWei: BigInt(returnedWei) }),
  };
}
