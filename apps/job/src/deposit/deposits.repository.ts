import { AMOUNT, Connection, EntityCollection, EntitySchema, timeAs } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { type Deposit, isNewer, PAYS_FOR_JOB } from './deposit.ts';

type JobDeposit = Deposit & { readonly jobId: string };

/** Amounts are decimal strings: compares them as numbers. */
const BY_VALUE = { locale: 'en', numericOrdering: true } as const;

const schema = new EntitySchema<JobDeposit, 'depositId'>(
  'deposits',
  {
    jobId: String,
    amountWei: AMOUNT,
    kind: String,
    from: String,
    transactionHash: String,
    blockNumber: Number,
    blockTimestampMs: timeAs('blockAt'),
    occurrence: Number,
    dropped: Boolean,
    claimedBy: String,
  },
  'depositId',
)
  .index({ jobId: 1, claimedBy: 1, blockNumber: 1, _id: 1 })
  .index({ jobId: 1, dropped: 1, amountWei: -1, _id: 1 }, { collation: BY_VALUE });

const BY_BLOCK = { blockNumber: 1, _id: 1 } as const;

/** Deposits that a payment is judged by: the transaction has to end within MongoDB's limit however many there are. */
const MOST_JUDGED = 1000;

/** Undecided deposits that one transaction reads. */
export const MOST_UNDECIDED_READ = 200;

/** Credited deposits in Mongo, apart from the jobs: anyone may send any number of them to a public address. */
@Injectable()
export class DepositsRepository {
  private readonly deposits: EntityCollection<JobDeposit, 'depositId'>;

  constructor(connection: Connection) {
    this.deposits = new EntityCollection(connection, schema);
  }

  /**
   * Writes what was heard of a deposit, unless something newer was heard before: of a higher occurrence, or that this
   * one was dropped. The order in which the messages come does not matter.
   * @returns the deposit as it was before: null for a new one, undefined where nothing changed
   */
  async record(jobId: string, deposit: Deposit, session: ClientSession): Promise<Deposit | null | undefined> {
    const { claimedBy: _, ...facts } = deposit;
    const { depositId: _id, ...change } = facts;
    const [before] = await this.deposits.list({ _id }, { session });
    if (!before) {
      await this.deposits.insert([{ ...facts, jobId }], session);
      return null;
    }
    if (!isNewer(deposit, before)) return undefined;
    await this.deposits.update({ _id }, { $set: schema.stored({ ...change, jobId }) }, session);
    return before;
  }

  async find(depositId: string): Promise<Deposit | undefined> {
    return (await this.deposits.list({ _id: depositId }))[0];
  }

  /** Takes back what was decided of a deposit that left the chain and came back. */
  async unclaim(depositId: string, session: ClientSession): Promise<void> {
    await this.deposits.update({ _id: depositId }, { $unset: { claimedBy: 1 } }, session);
  }

  /**
   * Says what deposits are for, once.
   * @param claims ids of deposits, by what they are for
   * @throws Error where that was decided for one of them before
   */
  async claim(claims: ReadonlyMap<string, readonly string[]>, session: ClientSession): Promise<void> {
    const updates = [...claims].map(([claimedBy, ids]) => ({
      updateMany: {
        filter: { _id: { $in: [...ids] }, claimedBy: { $exists: false } },
        update: { $set: { claimedBy } },
      },
    }));
    if (updates.length === 0) return;
    const { matchedCount } = await this.deposits.rows.collection.bulkWrite(updates as never, { session });
    const count = [...claims.values()].flat().length;
    if (matchedCount !== count) throw new Error(`Of ${count} deposits only ${matchedCount} are still unclaimed`);
  }

  /**
   * Deposits of a job that its payment is judged by, in the order of their blocks: the largest on the chain, and those that left it.
   * Dust is the smallest, so that no number of it crowds out a payment.
   */
  async ofJob(jobId: string, session: ClientSession): Promise<Deposit[]> {
    const limit = MOST_JUDGED;
    const largest = { sort: { amountWei: -1, _id: 1 }, collation: BY_VALUE, limit, session } as const;
    const present = await this.deposits.list({ jobId, dropped: false }, largest);
    const dropped = await this.deposits.list({ jobId, dropped: true }, { limit, session });
    return [...present, ...dropped].sort(byBlock);
  }

  /** The first deposits of a job on the chain for which it is not decided yet what they are for, in the order of their blocks. */
  async undecidedOfJob(jobId: string, session: ClientSession): Promise<Deposit[]> {
    const filter = { jobId, claimedBy: { $exists: false }, dropped: false };
    const hint = { jobId: 1, claimedBy: 1, ...BY_BLOCK };
    return this.deposits.list(filter, { sort: BY_BLOCK, hint, limit: MOST_UNDECIDED_READ, session });
  }

  /** Whether it was decided which deposits pay for a job. */
  async hasPayment(jobId: string, session: ClientSession): Promise<boolean> {
    return (await this.deposits.rows.exists({ jobId, claimedBy: PAYS_FOR_JOB }).session(session)) !== null;
  }

  /** Of these deposits of a job, those that were heard of, each with what it is for; undefined where that is not decided. */
  async claims(jobId: string, depositIds: readonly string[]): Promise<Map<string, string | undefined>> {
    const rows = await this.deposits.rows
      .find({ _id: { $in: depositIds }, jobId }, { claimedBy: 1 })
      .lean<{ _id: string; claimedBy?: string }[]>();
    return new Map(rows.map(({ _id, claimedBy }) => [_id, claimedBy]));
  }
}

function byBlock(one: Deposit, other: Deposit): number {
  return one.blockNumber - other.blockNumber || (one.depositId < other.depositId ? -1 : 1);
}
