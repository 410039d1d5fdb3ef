import { Connection, rowSchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession, Model } from 'mongoose';
import { type Deposit, isNewer, PAYS_FOR_JOB } from './deposit.ts';

interface DepositRow extends Omit<Deposit, 'depositId' | 'amountWei' | 'blockTimestampMs'> {
  _id: string;
  jobId: string;
  amountWei: string;
  blockAt: Date;
}

const depositRowSchema = rowSchema<DepositRow>('deposits', {
  _id: String,
  jobId: String,
  amountWei: String,
  kind: String,
  from: String,
  transactionHash: String,
  blockNumber: Number,
  blockAt: Date,
  occurrence: Number,
  dropped: Boolean,
  claimedBy: String,
})
  .index({ jobId: 1, claimedBy: 1 })
  .index({ jobId: 1, blockNumber: 1, _id: 1 });

/** Credited deposits in Mongo, apart from the jobs: anyone may send any number of them to a public address. */
@Injectable()
export class DepositsRepository {
  private readonly deposits: Model<DepositRow>;

  constructor(connection: Connection) {
    this.deposits = connection.model<DepositRow>('Deposit', depositRowSchema);
  }

  /**
   * Writes what was heard of a deposit, unless something newer was heard before: of a higher occurrence, or that this
   * one was dropped. The order in which the messages come does not matter.
   * @returns the deposit as it was before: null for a new one, undefined where nothing changed
   */
  async record(jobId: string, deposit: Deposit, session: ClientSession): Promise<Deposit | null | undefined> {
    const { depositId: _id, amountWei, blockTimestampMs, claimedBy: _, ...rest } = deposit;
    const facts = { ...rest, jobId, amountWei: amountWei.toString(), blockAt: new Date(blockTimestampMs) };
    const before = await this.deposits.findById(_id).session(session).lean<DepositRow>();
    if (!before) {
      await this.deposits.create([{ _id, ...facts }], { session });
      return null;
    }
    if (!isNewer(deposit, before)) return undefined;
    await this.deposits.updateOne({ _id }, { $set: facts }, { session });
    return toDeposit(before);
  }

  /** Takes back what was decided of a deposit that left the chain and came back. */
  async unclaim(depositId: string, session: ClientSession): Promise<void> {
    await this.deposits.updateOne({ _id: depositId }, { $unset: { claimedBy: 1 } }, { session });
  }

  /** Says what deposits are for, once. @throws Error where that was decided for one of them before */
  async claim(depositIds: readonly string[], claimedBy: string, session: ClientSession): Promise<void> {
    if (depositIds.length === 0) return;
    const filter = { _id: { $in: depositIds }, claimedBy: { $exists: false } };
    const { matchedCount } = await this.deposits.updateMany(filter, { $set: { claimedBy } }, { session });
    if (matchedCount !== depositIds.length) throw new Error(`Not every deposit for ${claimedBy} is still unclaimed`);
  }

  /** Every deposit of a job that was ever credited, in the order of their blocks. */
  async ofJob(jobId: string, session: ClientSession): Promise<Deposit[]> {
    const rows = await this.deposits
      .find({ jobId })
      .sort({ blockNumber: 1, _id: 1 })
      .session(session)
      .lean<DepositRow[]>();
    return rows.map(toDeposit);
  }

  /** Deposits of a job on the chain for which it is not decided yet what they are for, in the order of their blocks. */
  async undecidedOfJob(jobId: string, session: ClientSession): Promise<Deposit[]> {
    const rows = await this.deposits
      .find({ jobId, claimedBy: { $exists: false }, dropped: false })
      .sort({ blockNumber: 1, _id: 1 })
      .hint({ jobId: 1, claimedBy: 1 })
      .session(session)
      .lean<DepositRow[]>();
    return rows.map(toDeposit);
  }

  /** Whether it was decided which deposits pay for a job. */
  async hasPayment(jobId: string, session: ClientSession): Promise<boolean> {
    return (await this.deposits.exists({ jobId, claimedBy: PAYS_FOR_JOB }).session(session)) !== null;
  }

  /** Of these deposits of a job, those that were heard of, each with what it is for; undefined where that is not decided. */
  async claims(jobId: string, depositIds: readonly string[]): Promise<Map<string, string | undefined>> {
    const rows = await this.deposits.find({ _id: { $in: depositIds }, jobId }, { claimedBy: 1 }).lean<DepositRow[]>();
    return new Map(rows.map(({ _id, claimedBy }) => [_id, claimedBy]));
  }
}

function toDeposit({ _id, jobId: _, amountWei, blockAt, ...rest }: DepositRow): Deposit {
  return { ...rest, depositId: _id, amountWei: BigInt(amountWei), blockTimestampMs: blockAt.getTime() };
}
