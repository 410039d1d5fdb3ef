import { AMOUNT, Connection, EntityCollection, EntitySchema, timeAs } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { type Deposit, isNewer } from './deposit.ts';

type JobDeposit = Deposit & { readonly jobId: string };

/** Collation that compares amounts, which are decimal strings, as numbers. */
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

/** Most deposits that the evaluation of a payment reads, so that the transaction ends within MongoDB's time limit. */
const MOST_JUDGED = 1000;

/** Most undecided deposits that one transaction reads. */
export const MOST_UNDECIDED_READ = 200;

/** Credited deposits in MongoDB, apart from the jobs: anyone can send any number of them to a public address. */
@Injectable()
export class DepositsRepository {
  private readonly deposits: EntityCollection<JobDeposit, 'depositId'>;

  constructor(connection: Connection) {
    this.deposits = new EntityCollection(connection, schema);
  }

  /**
   * Writes a reported deposit, unless the stored one is as new or newer ({@link isNewer}). Messages may arrive in any order.
   * @returns the stored deposit before: null for a new one, undefined if nothing changed
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

  /** A page of the deposits of a payment address on the chain, in the order of their ids, which begin with the address. */
  async ofAddress(address: string, after: string, limit: number): Promise<Deposit[]> {
    const _id = { $gt: after === '' ? `${address}:` : after, $lt: `${address};` };
    return this.deposits.list({ _id, dropped: false }, { sort: { _id: 1 }, limit });
  }

  /** Removes the purpose of a deposit that left the chain and was mined again. */
  async unclaim(depositId: string, session: ClientSession): Promise<void> {
    await this.deposits.update({ _id: depositId }, { $unset: { claimedBy: 1 } }, session);
  }

  /**
   * Sets the purpose of deposits, once.
   * @param claims ids of deposits, by purpose
   * @throws Error if one of them has a purpose already
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
   * Deposits for the evaluation of a job's payment, in the order of their blocks: the largest on the chain, and dropped ones.
   * Dust is smallest, so any number of it displaces no payment.
   */
  async ofJob(jobId: string, session: ClientSession | null = null): Promise<Deposit[]> {
    const limit = MOST_JUDGED;
    const largest = { sort: { amountWei: -1, _id: 1 }, collation: BY_VALUE, limit, session } as const;
    const present = await this.deposits.list({ jobId, dropped: false }, largest);
    const dropped = await this.deposits.list({ jobId, dropped: true }, { limit, session });
    return [...present, ...dropped].sort(byBlock);
  }

  /** The first deposits of a job on the chain without a purpose, in the order of their blocks. */
  async undecidedOfJob(jobId: string, session: ClientSession): Promise<Deposit[]> {
    const filter = { jobId, claimedBy: { $exists: false }, dropped: false };
    const hint = { jobId: 1, claimedBy: 1, ...BY_BLOCK };
    return this.deposits.list(filter, { sort: BY_BLOCK, hint, limit: MOST_UNDECIDED_READ, session });
  }

  /** Purposes of those deposits that are stored, by id; undefined if it is not decided yet. */
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
