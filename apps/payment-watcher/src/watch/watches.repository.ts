import { Connection, insertRows, rowSchema } from '@maker/persistence';
import { currentOrigin, type Origin } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type ClientSession, type Model, Schema } from 'mongoose';
import type { Address, Hash } from 'viem';
import { UNSEEN_WATCH } from './unseen-watch.ts';
import type { MentionFact, Watch } from './watch.ts';

interface WatchRow {
  /** The address. */
  _id: Address;
  jobId: string;
  origin?: Origin;
  createdAt: Date;
  deadlineAt: Date;
  scannedFromBlock: number | null;
  searchedBack: boolean;
  lookedAtBlock: number | null;
  lookedAt: Date | null;
  lookedPastDeadlineAtBlock: number | null;
  mentions: { transactionHash: Hash; blockNumber: number; blockAt: Date }[];
  spendingSinceBlock: number | null;
  /** How often it was told what is seen at the address. */
  seenRevision: number;
  /** When `payment.deadline_passed` was recorded. */
  deadlinePassedAt: Date | null;
  /** When its balance is swept next, once the deadline has been announced; before that each sweep reads it. */
  nextSweepAt: Date | null;
  /** Set when the job has ended. */
  watchUntil: Date | null;
  /** No longer watched. */
  closed: boolean;
}

const schema = rowSchema<WatchRow>('watches', {
  _id: String,
  jobId: { type: String, required: true },
  origin: new Schema({ requestId: String, traceparent: String }, { _id: false }),
  createdAt: { type: Date, required: true },
  deadlineAt: { type: Date, required: true },
  scannedFromBlock: Number,
  searchedBack: Boolean,
  lookedAtBlock: Number,
  lookedAt: Date,
  lookedPastDeadlineAtBlock: Number,
  mentions: [{ _id: false, transactionHash: String, blockNumber: Number, blockAt: Date }],
  spendingSinceBlock: Number,
  seenRevision: Number,
  deadlinePassedAt: Date,
  nextSweepAt: Date,
  watchUntil: Date,
  closed: Boolean,
});
schema.index({ jobId: 1 }, { unique: true });
schema.index({ closed: 1, scannedFromBlock: 1 });
schema.index({ closed: 1, deadlinePassedAt: 1, deadlineAt: 1 });
schema.index({ closed: 1, nextSweepAt: 1 });
schema.index({ closed: 1, watchUntil: 1 });

/**
 * The time between two sweeps of an address whose deadline was announced is this part of the time since then: what comes
 * to it is later and later anyway, and a day makes about fifty sweeps instead of thousands.
 */
const SWEPT_EVERY_PART = 8;

/** Its balance tells nothing to read. */
const UNREADABLE = [{ spendingSinceBlock: { $ne: null } }, { scannedFromBlock: null }];

/** Its first balance is kept, it waits for its deadline, and no transaction that named it is unexplained. */
const SETTLED = {
  $and: [
    { $gt: ['$lookedAtBlock', null] },
    { $eq: ['$deadlinePassedAt', null] },
    { $eq: ['$watchUntil', null] },
    { $eq: ['$mentions', []] },
  ],
};

type NewWatch = Pick<Watch, 'address' | 'jobId' | 'createdAtMs' | 'deadlineMs'>;

interface SweptRow {
  readonly _id: Address;
  readonly settled: boolean;
}

/** All reads and writes of watched addresses. */
@Injectable()
export class WatchesRepository {
  private readonly rows: Model<WatchRow>;

  constructor(connection: Connection) {
    this.rows = connection.model<WatchRow>('Watch', schema);
  }

  async findByJob(jobId: string): Promise<Watch | undefined> {
    const row = await this.rows.findOne({ jobId }).lean();
    return row ? toWatch(row) : undefined;
  }

  /** The row of a new watch, which keeps the current origin with it. */
  newRow({ address, jobId, createdAtMs, deadlineMs }: NewWatch): WatchRow {
    return {
      _id: address,
      jobId,
      origin: currentOrigin(),
      createdAt: new Date(createdAtMs),
      deadlineAt: new Date(deadlineMs),
      ...UNSEEN_WATCH,
    };
  }

  /** @throws a duplicate key error when an address or a job has a watch */
  async insert(rows: readonly WatchRow[], session: ClientSession): Promise<void> {
    await insertRows(this.rows, rows, session);
  }

  /** @returns false when the job has no watch */
  async watchUntil(jobId: string, untilMs: number, session: ClientSession): Promise<boolean> {
    const result = await this.rows.updateOne({ jobId }, { $set: { watchUntil: new Date(untilMs) } }, { session });
    return result.matchedCount > 0;
  }

  async findMany(addresses: readonly Address[]): Promise<Map<Address, Watch>> {
    if (addresses.length === 0) return new Map();
    const rows = await this.rows.find({ _id: { $in: addresses }, closed: false }).lean();
    return new Map(rows.map((row) => [row._id, toWatch(row)]));
  }

  /** Addresses that the scanner has taken over. */
  async watchedAddresses(): Promise<Address[]> {
    return idsOf(await this.rows.find({ closed: false, scannedFromBlock: { $ne: null } }, { _id: 1 }).lean());
  }

  /** Addresses that the scanner has not taken over yet. */
  async newAddresses(): Promise<Address[]> {
    return idsOf(await this.rows.find({ closed: false, scannedFromBlock: null }, { _id: 1 }).lean());
  }

  /**
   * Addresses whose balance is to be read: of those that have not begun to spend, all before their announced deadline, and of the
   * others those that are due, or are read for the last time. `settled` are those of which a reading without money tells nothing new.
   * @param nowMs chain time @param mostAbandoned of the others, the longest due first
   */
  async toSweep(nowMs: number, mostAbandoned: number): Promise<{ address: Address; settled: boolean }[]> {
    const readable = { closed: false, scannedFromBlock: { $ne: null }, spendingSinceBlock: null };
    const now = new Date(nowMs);
    const abandoned = { ...readable, $or: [{ nextSweepAt: { $lte: now } }, { watchUntil: { $lt: now } }] };
    const [waiting, due] = await Promise.all([
      this.rows.find({ ...readable, nextSweepAt: null }, { _id: 1, settled: SETTLED }).lean<SweptRow[]>(),
      this.rows
        .find({ ...abandoned, nextSweepAt: { $ne: null } }, { _id: 1 })
        .sort({ nextSweepAt: 1 })
        .limit(mostAbandoned)
        .lean(),
    ]);
    return [
      ...waiting.map(({ _id, settled }) => ({ address: _id, settled })),
      ...due.map(({ _id }) => ({ address: _id, settled: false })),
    ];
  }

  /** Addresses whose deadline the chain's time has passed, and whose balance was not read since. */
  async unreadPastDeadline(chainTimeMs: number): Promise<Address[]> {
    const unread = { ...unannouncedPast(chainTimeMs), lookedPastDeadlineAtBlock: null };
    return idsOf(await this.rows.find(unread, { _id: 1 }).lean());
  }

  /** Watches whose deadline the chain's time has passed, but for which that was not announced. */
  async pastDeadline(chainTimeMs: number): Promise<Watch[]> {
    return (await this.rows.find(unannouncedPast(chainTimeMs)).lean()).map(toWatch);
  }

  async takeOver(addresses: readonly Address[], fromBlock: number, session: ClientSession): Promise<void> {
    const filter = { _id: { $in: addresses }, scannedFromBlock: null };
    await this.rows.updateMany(filter, { $set: { scannedFromBlock: fromBlock } }, { session });
  }

  async addMention(address: Address, mention: MentionFact, session: ClientSession): Promise<void> {
    const { transactionHash, blockNumber, blockAtMs } = mention;
    const mentions = { transactionHash, blockNumber, blockAt: new Date(blockAtMs) };
    await this.rows.updateOne({ _id: address }, { $push: { mentions } }, { session });
  }

  async markSpending(addresses: readonly Address[], sinceBlock: number, session: ClientSession): Promise<void> {
    const filter = { _id: { $in: addresses }, spendingSinceBlock: null };
    await this.rows.updateMany(filter, { $set: { spendingSinceBlock: sinceBlock, mentions: [] } }, { session });
  }

  async markSearchedBack(address: Address, session: ClientSession): Promise<void> {
    await this.rows.updateOne({ _id: address }, { $set: { searchedBack: true } }, { session });
  }

  /** Remembers a reading of balances, which settles what was mentioned up to its block. */
  async markBalanceRead(
    addresses: readonly Address[],
    reading: { blockNumber: number; timestampMs: number },
    session: ClientSession,
  ): Promise<void> {
    const lookedAt = { lookedAtBlock: reading.blockNumber, lookedAt: new Date(reading.timestampMs) };
    await this.rows.updateMany(
      { _id: { $in: addresses } },
      { $set: lookedAt, $pull: { mentions: { blockNumber: { $lte: reading.blockNumber } } } },
      { session },
    );
    await this.rows.updateMany(
      { _id: { $in: addresses }, lookedPastDeadlineAtBlock: null, deadlineAt: { $lt: lookedAt.lookedAt } },
      { $set: { lookedPastDeadlineAtBlock: reading.blockNumber } },
      { session },
    );
    const sinceDeadline = { $max: [0, { $subtract: [lookedAt.lookedAt, '$deadlineAt'] }] };
    const nextSweepAt = { $add: [lookedAt.lookedAt, { $divide: [sinceDeadline, SWEPT_EVERY_PART] }] };
    await this.rows.updateMany(
      { _id: { $in: addresses }, deadlinePassedAt: { $ne: null } },
      [{ $set: { nextSweepAt } }],
      { session, updatePipeline: true },
    );
  }

  /** Counts that it is told once more what is seen at an address. @returns undefined where nobody watches it */
  async nextSeenRevision(
    address: Address,
    session: ClientSession,
  ): Promise<{ readonly jobId: string; readonly revision: number } | undefined> {
    const row = await this.rows
      .findByIdAndUpdate(address, { $inc: { seenRevision: 1 } }, { session, returnDocument: 'after' })
      .lean();
    return row ? { jobId: row.jobId, revision: row.seenRevision } : undefined;
  }

  async markDeadlinePassed(address: Address, atMs: number, session: ClientSession): Promise<boolean> {
    const filter = { _id: address, deadlinePassedAt: null };
    const result = await this.rows.updateOne(filter, { $set: { deadlinePassedAt: new Date(atMs) } }, { session });
    return result.modifiedCount > 0;
  }

  /** Forgets what was learned from blocks that are no longer part of the chain. */
  async rewind(ancestorBlock: number, session: ClientSession): Promise<void> {
    const above = { $gt: ancestorBlock };
    await this.rows.updateMany(
      { mentions: { $elemMatch: { blockNumber: above } } },
      { $pull: { mentions: { blockNumber: above } } },
      { session },
    );
    await this.rows.updateMany(
      { lookedPastDeadlineAtBlock: above },
      { $set: { lookedPastDeadlineAtBlock: null } },
      { session },
    );
    await this.rows.updateMany({ spendingSinceBlock: above }, { $set: { spendingSinceBlock: null } }, { session });
    await this.rows.updateMany(
      { lookedAtBlock: above },
      { $set: { lookedAtBlock: null, lookedAt: null, nextSweepAt: null, searchedBack: false } },
      { session },
    );
    await this.rows.updateMany(
      { scannedFromBlock: above },
      { $set: { scannedFromBlock: ancestorBlock + 1 } },
      { session },
    );
  }

  /** Ends the watches whose time after the job's end is over, and which were read after it. @returns their addresses */
  async closeEnded(nowMs: number): Promise<Address[]> {
    const wasRead = { $expr: { $gte: ['$lookedAt', '$watchUntil'] } };
    const filter = { closed: false, watchUntil: { $lt: new Date(nowMs) }, $or: [...UNREADABLE, wasRead] };
    const addresses = idsOf(await this.rows.find(filter, { _id: 1 }).lean());
    if (addresses.length > 0) await this.rows.updateMany({ _id: { $in: addresses } }, { $set: { closed: true } });
    return addresses;
  }
}

/** Followed watches whose deadline the chain's time has passed, before that is announced. */
function unannouncedPast(chainTimeMs: number) {
  const deadlineAt = { $lt: new Date(chainTimeMs) };
  return { closed: false, deadlinePassedAt: null, deadlineAt, scannedFromBlock: { $ne: null } };
}

function idsOf(rows: readonly { _id: Address }[]): Address[] {
  return rows.map(({ _id }) => _id);
}

function toWatch(row: WatchRow): Watch {
  return {
    address: row._id,
    jobId: row.jobId,
    ...(row.origin && { origin: row.origin }),
    createdAtMs: row.createdAt.getTime(),
    deadlineMs: row.deadlineAt.getTime(),
    ...(row.scannedFromBlock !== null && { scannedFromBlock: row.scannedFromBlock }),
    searchedBack: row.searchedBack,
    ...(row.lookedAtBlock !== null && { balanceReadAtBlock: row.lookedAtBlock }),
    ...(row.lookedAt !== null && { balanceReadAtMs: row.lookedAt.getTime() }),
    ...(row.lookedPastDeadlineAtBlock !== null && { balanceReadPastDeadlineAtBlock: row.lookedPastDeadlineAtBlock }),
    mentions: row.mentions.map(({ transactionHash, blockNumber, blockAt }) => ({
      transactionHash,
      blockNumber,
      blockAtMs: blockAt.getTime(),
    })),
    ...(row.spendingSinceBlock !== null && { spendingSinceBlock: row.spendingSinceBlock }),
  };
}
