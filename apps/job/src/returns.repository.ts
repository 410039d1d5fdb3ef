import { MONGO_CONNECTION } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type ClientSession, type Connection, type Model, Schema } from 'mongoose';
import type { DepositReturn } from './return-deposits/deposit-return.ts';

interface ReturnRow {
  _id: string;
  jobId: string;
  depositIds: string[];
  amountWei: string;
  activated: boolean;
  to: string | null;
  status: DepositReturn['status'];
  reason?: string;
  absent?: true;
  returnedWei?: string;
  transactionHash?: `0x${string}`;
  createdAt: Date;
}

const returnRowSchema = new Schema<ReturnRow>(
  {
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
  },
  { collection: 'returns', versionKey: false },
)
  .index({ jobId: 1, createdAt: 1 })
  .index({ status: 1 });

/** What came of a return. */
export type ReturnOutcome = Pick<DepositReturn, 'status'> &
  Partial<Pick<DepositReturn, 'to' | 'reason' | 'absent' | 'returnedWei' | 'transactionHash'>>;

/** Returns of deposits that pay for no order, in Mongo. */
@Injectable()
export class ReturnsRepository implements OnModuleInit {
  private readonly returns: Model<ReturnRow>;

  constructor(
    @Inject(MONGO_CONNECTION) connection: Connection,
    private readonly clock: Clock,
  ) {
    this.returns = connection.model<ReturnRow>('DepositReturn', returnRowSchema);
  }

  async onModuleInit(): Promise<void> {
    await this.returns.createIndexes();
  }

  async insert(one: DepositReturn, session: ClientSession): Promise<void> {
    const { returnId, depositIds, amountWei, returnedWei: _, ...same } = one;
    const row = { ...same, _id: returnId, depositIds: [...depositIds], amountWei: amountWei.toString() };
    await this.returns.create([{ ...row, createdAt: new Date(this.clock.now()) }], { session });
  }

  /** Writes how a return stands; one that is returned stays so. */
  async settle(returnId: string, outcome: ReturnOutcome, session: ClientSession): Promise<void> {
    const { returnedWei, ...same } = outcome;
    const set = { ...same, ...(returnedWei === undefined ? {} : { returnedWei: returnedWei.toString() }) };
    const update = { $set: set, ...(outcome.status === 'held' ? {} : { $unset: { reason: 1 } }) };
    await this.returns.updateOne({ _id: returnId, status: { $ne: 'returned' } }, update, { session });
  }

  /**
   * Takes a deposit out of a return that found its money gone, now that the money is back and is returned anew.
   * @returns whether it was part of one
   */
  async withdraw(returnId: string, depositId: string, amountWei: bigint, session: ClientSession): Promise<boolean> {
    const filter = { _id: returnId, status: 'held' as const, absent: true as const, depositIds: depositId };
    const row = await this.returns.findOne(filter).session(session).lean<ReturnRow>();
    if (!row) return false;
    const rest = { amountWei: (BigInt(row.amountWei) - amountWei).toString() };
    await this.returns.updateOne(filter, { $set: rest, $pull: { depositIds: depositId } }, { session });
    return true;
  }

  /** Returns of a job, oldest first. */
  async ofJob(jobId: string): Promise<DepositReturn[]> {
    return (await this.ofJobs([jobId])).get(jobId) ?? [];
  }

  /** Ids of every return that was ever ordered for a job. */
  async idsOfJob(jobId: string): Promise<string[]> {
    return (await this.returns.find({ jobId }, { _id: 1 }).lean<ReturnRow[]>()).map(({ _id }) => _id);
  }

  /** Returns of several jobs, by job. */
  async ofJobs(jobIds: readonly string[]): Promise<ReadonlyMap<string, DepositReturn[]>> {
    const rows = await this.returns
      // Without those of which every deposit was taken out.
      .find({ jobId: { $in: jobIds }, depositIds: { $ne: [] } })
      .sort({ createdAt: 1, _id: 1 })
      .lean<ReturnRow[]>();
    return Map.groupBy(rows.map(fromRow), ({ jobId }) => jobId);
  }
}

function fromRow({ _id, amountWei, returnedWei, createdAt: _, ...same }: ReturnRow): DepositReturn {
  return {
    ...same,
    returnId: _id,
    amountWei: BigInt(amountWei),
    ...(returnedWei === undefined ? {} : { returnedWei: BigInt(returnedWei) }),
  };
}
