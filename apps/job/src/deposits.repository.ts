import { MONGO_CONNECTION } from '@maker/persistence';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type ClientSession, type Connection, type Model, Schema } from 'mongoose';
import type { Deposit } from './job.ts';

interface DepositRow {
  _id: string;
  jobId: string;
  amountWei: string;
  kind: Deposit['kind'];
  from?: string;
  transactionHash?: string;
  blockNumber: number;
  blockAt: Date;
  claimedBy?: string;
}

const depositRowSchema = new Schema<DepositRow>(
  {
    _id: String,
    jobId: String,
    amountWei: String,
    kind: String,
    from: String,
    transactionHash: String,
    blockNumber: Number,
    blockAt: Date,
    claimedBy: String,
  },
  { collection: 'deposits', versionKey: false },
).index({ jobId: 1 });

/** Credited deposits in Mongo, apart from the jobs: anyone may send any number of them to a public address. */
@Injectable()
export class DepositsRepository implements OnModuleInit {
  private readonly deposits: Model<DepositRow>;

  constructor(@Inject(MONGO_CONNECTION) connection: Connection) {
    this.deposits = connection.model<DepositRow>('Deposit', depositRowSchema);
  }

  async onModuleInit(): Promise<void> {
    await this.deposits.createIndexes();
  }

  /** Credits a deposit. @returns false when it was credited before */
  async credit(jobId: string, deposit: Deposit, session: ClientSession): Promise<boolean> {
    const { depositId, amountWei, blockTimestampMs, ...rest } = deposit;
    const result = await this.deposits.updateOne(
      { _id: depositId },
      { $setOnInsert: { ...rest, jobId, amountWei: amountWei.toString(), blockAt: new Date(blockTimestampMs) } },
      { upsert: true, session },
    );
    return result.upsertedCount === 1;
  }

  /** Says what deposits are for, once. @throws Error where that was decided for one of them before */
  async claim(depositIds: readonly string[], claimedBy: string, session: ClientSession): Promise<void> {
    if (depositIds.length === 0) return;
    const filter = { _id: { $in: depositIds }, claimedBy: { $exists: false } };
    const { matchedCount } = await this.deposits.updateMany(filter, { $set: { claimedBy } }, { session });
    if (matchedCount !== depositIds.length) throw new Error(`Not every deposit for ${claimedBy} is still unclaimed`);
  }

  /** Every credited deposit of a job, in the order of their blocks. */
  async ofJob(jobId: string, session: ClientSession): Promise<Deposit[]> {
    const rows = await this.deposits
      .find({ jobId })
      .sort({ blockNumber: 1, _id: 1 })
      .session(session)
      .lean<DepositRow[]>();
    return rows.map(({ _id, jobId: _, amountWei, blockAt, ...rest }) => ({
      ...rest,
      depositId: _id,
      amountWei: BigInt(amountWei),
      blockTimestampMs: blockAt.getTime(),
    }));
  }
}
