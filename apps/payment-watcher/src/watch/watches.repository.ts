import { Connection, EntityCollection, EntitySchema, onCommit, timeAs } from '@maker/persistence';
import { WATCH_AFTER_END_MS } from '@maker/rules';
import { currentOrigin } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type ClientSession, Schema } from 'mongoose';
import type { Address } from 'viem';
import { UNSEEN_WATCH } from './unseen-watch.ts';
import type { MentionFact, ToldFind, Watch, WrongAsset } from './watch.ts';

const schema = new EntitySchema<Watch, 'address'>(
  'watches',
  {
    jobId: String,
    tokenAddress: String,
    origin: { requestId: String, traceparent: String },
    createdAtMs: timeAs('createdAt'),
    deadlineMs: timeAs('deadlineAt'),
    scannedFromBlock: Number,
    searchedBack: Boolean,
    readAtBlock: Number,
    readAt: Date,
    readPastDeadlineAtBlock: Number,
    mentions: [{ _id: false, transactionHash: String, blockNumber: Number, blockAtMs: timeAs('blockAt') }],
    spendingSinceBlock: Number,
    seenRevision: Number,
    deadlinePassedAt: Date,
    nextPollAt: Date,
    watchUntil: Date,
    closed: Boolean,
    finds: Schema.Types.Mixed,
  },
  'address',
)
  .index({ jobId: 1 }, { unique: true })
  .index({ closed: 1, scannedFromBlock: 1 })
  .index({ closed: 1, deadlinePassedAt: 1, deadlineAt: 1 })
  .index({ closed: 1, nextPollAt: 1 })
  .index({ closed: 1, watchUntil: 1 })
  .index({ closed: 1, deadlinePassedAt: 1, watchUntil: 1, createdAt: 1 })
  .index({ 'finds.hyperCore.againAt': 1 }, { sparse: true })
  .index({ 'finds.tokens.againAt': 1 }, { sparse: true });

/**
 * The time between two polls of an address whose deadline was announced is this part of the time since then: what comes
 * to it is later and later anyway, and a day makes about fifty polls instead of thousands.
 */
const SWEPT_EVERY_PART = 8;

/** Its balance tells nothing to read. */
const UNREADABLE = [{ spendingSinceBlock: { $ne: null } }, { scannedFromBlock: null }];

/** Its first balance is kept, it waits for its deadline, and no transaction that named it is unexplained. */
const SETTLED = {
  $and: [
    { $gt: ['$readAtBlock', null] },
    { $eq: ['$deadlinePassedAt', null] },
    { $eq: ['$watchUntil', null] },
    { $eq: ['$mentions', []] },
  ],
};

const SEARCHED_FIELDS = { jobId: 1, tokenAddress: 1, createdAt: 1, watchUntil: 1, finds: 1 };

type NewWatch = Pick<Watch, 'address' | 'jobId' | 'tokenAddress' | 'createdAtMs' | 'deadlineMs'>;

/** A watch whose address is searched for assets that pay for nothing. */
export interface SearchedWatch extends Pick<Watch, 'address' | 'jobId' | 'tokenAddress' | 'createdAtMs'> {
  /** By the job service's clock; absent while the job waits for its payment. */
  readonly endedAtMs?: number;
  /** What was told of it; absent where nothing is there. */
  readonly find?: ToldFind;
}

/** Watches of some age that are wanted. */
export interface WatchAge {
  /** Of jobs that wait for their payment since their creation; of ended ones since their end. */
  readonly since: 'createdAt' | 'endedAt';
  /** By the job service's clock, ms. */
  readonly afterMs: number;
  readonly untilMs: number;
  readonly besides: readonly Address[];
}

interface SearchedRow extends Pick<Watch, 'jobId' | 'tokenAddress' | 'watchUntil' | 'finds'> {
  readonly _id: Address;
  readonly createdAt: Date;
}

interface SweptRow {
  readonly _id: Address;
  readonly settled: boolean;
}

/** All reads and writes of watched addresses. */
@Injectable()
export class WatchesRepository {
  private readonly watches: EntityCollection<Watch, 'address'>;
  /**
   * No deadline that is not announced is before it, ms; undefined where that is not known. Each block asks for such deadlines and few
   * blocks pass one. Only the active scanner begins to follow a watch.
   */
  private nextDeadlineMs: number | undefined;
  /** Whether this process has written since it looked for new watches. */
  private mayHaveRegistered = true;

  constructor(connection: Connection) {
    this.watches = new EntityCollection(connection, schema);
    onCommit(connection, () => {
      this.mayHaveRegistered = true;
    });
  }

  /** Forgets what was read: another process may have followed watches. Called when a scan begins. */
  readAgain(): void {
    this.nextDeadlineMs = undefined;
    this.mayHaveRegistered = true;
  }

  async findByJob(jobId: string): Promise<Watch | undefined> {
    const [watch] = await this.watches.list({ jobId });
    return watch;
  }

  /** A new watch, which keeps the current origin with it. */
  prepare({ address, jobId, ...more }: NewWatch): Watch {
    return { address, jobId, origin: currentOrigin(), ...more, ...UNSEEN_WATCH };
  }

  /** @throws a duplicate key error when an address or a job has a watch */
  async insert(watches: readonly Watch[], session: ClientSession): Promise<void> {
    await this.watches.insert(watches, session);
  }

  /** @returns false when the job has no watch */
  async watchUntil(jobId: string, untilMs: number, session: ClientSession): Promise<boolean> {
    return (await this.watches.update({ jobId }, { $set: { watchUntil: new Date(untilMs) } }, session)) > 0;
  }

  async findMany(addresses: readonly Address[]): Promise<Map<Address, Watch>> {
    if (addresses.length === 0) return new Map();
    const watches = await this.watches.list({ _id: { $in: addresses }, closed: false });
    return new Map(watches.map((watch) => [watch.address, watch]));
  }

  /** Addresses that the scanner has taken over. */
  async watchedAddresses(): Promise<Address[]> {
    return this.addressesOf({ closed: false, scannedFromBlock: { $ne: null } });
  }

  /**
   * Addresses that the scanner has not taken over yet.
   * @param isDue whether to look for those that another process registered; those of this one are always found
   */
  async newAddresses(isDue: boolean): Promise<Address[]> {
    if (!isDue && !this.mayHaveRegistered) return [];
    this.mayHaveRegistered = false;
    return this.addressesOf({ closed: false, scannedFromBlock: null });
  }

  /**
   * Addresses whose balance is to be read: of those that have not begun to spend, all before their announced deadline, and of the
   * others those that are due, or are read for the last time. `settled` are those of which a reading without money tells nothing new.
   * @param nowMs chain time @param mostAbandoned of the others, the longest due first
   */
  async toPoll(nowMs: number, mostAbandoned: number): Promise<{ address: Address; settled: boolean }[]> {
    const readable = { closed: false, scannedFromBlock: { $ne: null }, spendingSinceBlock: null };
    const now = new Date(nowMs);
    const abandoned = { ...readable, $or: [{ nextPollAt: { $lte: now } }, { watchUntil: { $lt: now } }] };
    const [waiting, due] = await Promise.all([
      this.watches.rows.find({ ...readable, nextPollAt: null }, { _id: 1, settled: SETTLED }).lean<SweptRow[]>(),
      this.watches.rows
        .find({ ...abandoned, nextPollAt: { $ne: null } }, { _id: 1 })
        .sort({ nextPollAt: 1 })
        .limit(mostAbandoned)
        .lean<Pick<SweptRow, '_id'>[]>(),
    ]);
    return [
      ...waiting.map(({ _id, settled }) => ({ address: _id, settled })),
      ...due.map(({ _id }) => ({ address: _id, settled: false })),
    ];
  }

  /** Addresses whose deadline the chain's time has passed, and whose balance was not read since. */
  async unreadPastDeadline(chainTimeMs: number): Promise<Address[]> {
    if (await this.isBeforeDeadlines(chainTimeMs)) return [];
    return this.addressesOf({ ...unannounced(chainTimeMs), readPastDeadlineAtBlock: null });
  }

  /** Watches of some ages, the oldest first, of each age no more than wanted. Those that wait are before their announced deadline. */
  async toSearch(kind: WrongAsset, ages: readonly WatchAge[], most: number): Promise<SearchedWatch[]> {
    const [first = [], ...others] = ages.map((age) => [...ofAge(age), { $limit: most }, { $project: SEARCHED_FIELDS }]);
    const { name: coll } = this.watches.rows.collection;
    const more = others.map((pipeline) => ({ $unionWith: { coll, pipeline } }));
    const rows = await this.watches.rows.aggregate<SearchedRow>([...first, ...more]);
    const watches = rows.map((row) => searchedWatch(row, kind));
    return watches.toSorted((one, other) => one.createdAtMs - other.createdAtMs).slice(0, most);
  }

  /** Watches of ended jobs of which something was told, whose next search is due, the longest due first. Closed ones too. */
  async toSearchAgain(kind: WrongAsset, nowMs: number, most: number): Promise<SearchedWatch[]> {
    const againAt = `finds.${kind}.againAt`;
    const rows = await this.watches.rows
      .find({ [againAt]: { $lte: new Date(nowMs) }, watchUntil: { $ne: null } }, SEARCHED_FIELDS)
      .sort({ [againAt]: 1 })
      .limit(most)
      .lean<SearchedRow[]>();
    return rows.map((row) => searchedWatch(row, kind));
  }

  /** @param find undefined where nothing is there */
  async noteFind(kind: WrongAsset, jobId: string, find: ToldFind | undefined, session?: ClientSession): Promise<void> {
    const field = `finds.${kind}`;
    await this.watches.update({ jobId }, find ? { $set: { [field]: find } } : { $unset: { [field]: 1 } }, session);
  }

  /** Watches whose deadline the chain's time has passed, but for which that was not announced. */
  async pastDeadline(chainTimeMs: number): Promise<Watch[]> {
    if (await this.isBeforeDeadlines(chainTimeMs)) return [];
    const past = await this.watches.list(unannounced(chainTimeMs));
    if (past.length === 0) this.readAgain();
    return past;
  }

  /** Whether no deadline that is not announced is before a time, ms. */
  private async isBeforeDeadlines(chainTimeMs: number): Promise<boolean> {
    this.nextDeadlineMs ??= await this.firstDeadline();
    return chainTimeMs <= this.nextDeadlineMs;
  }

  private async firstDeadline(): Promise<number> {
    const [watch] = await this.watches.list(unannounced(), { sort: { deadlineAt: 1 }, limit: 1 });
    return watch?.deadlineMs ?? Number.POSITIVE_INFINITY;
  }

  async takeOver(addresses: readonly Address[], fromBlock: number, session: ClientSession): Promise<void> {
    this.readAgain();
    const filter = { _id: { $in: addresses }, scannedFromBlock: null };
    await this.watches.update(filter, { $set: { scannedFromBlock: fromBlock } }, session);
  }

  /** In one write and in no transaction: strangers choose how many there are. */
  async addMentions(mentions: readonly (MentionFact & { readonly address: Address })[]): Promise<void> {
    if (mentions.length === 0) return;
    await this.watches.rows.bulkWrite(
      mentions.map(({ address, ...mention }) => ({
        updateOne: { filter: { _id: address }, update: { $push: schema.stored({ mentions: mention }) } },
      })),
      { ordered: false },
    );
  }

  async markSpending(addresses: readonly Address[], sinceBlock: number, session: ClientSession): Promise<void> {
    const filter = { _id: { $in: addresses }, spendingSinceBlock: null };
    await this.watches.update(filter, { $set: { spendingSinceBlock: sinceBlock, mentions: [] } }, session);
  }

  async markSearchedBack(addresses: readonly Address[], session: ClientSession): Promise<void> {
    await this.watches.update({ _id: { $in: addresses } }, { $set: { searchedBack: true } }, session);
  }

  /** Remembers a reading of balances, which settles what was mentioned up to its block. */
  async markBalanceRead(
    addresses: readonly Address[],
    reading: { blockNumber: number; timestampMs: number },
    session: ClientSession,
  ): Promise<void> {
    const readAt = { readAtBlock: reading.blockNumber, readAt: new Date(reading.timestampMs) };
    await this.watches.update(
      { _id: { $in: addresses } },
      { $set: readAt, $pull: { mentions: { blockNumber: { $lte: reading.blockNumber } } } },
      session,
    );
    await this.watches.update(
      { _id: { $in: addresses }, readPastDeadlineAtBlock: null, deadlineAt: { $lt: readAt.readAt } },
      { $set: { readPastDeadlineAtBlock: reading.blockNumber } },
      session,
    );
    const sinceDeadline = { $max: [0, { $subtract: [readAt.readAt, '$deadlineAt'] }] };
    const nextPollAt = { $add: [readAt.readAt, { $divide: [sinceDeadline, SWEPT_EVERY_PART] }] };
    await this.watches.rows.updateMany(
      { _id: { $in: addresses }, deadlinePassedAt: { $ne: null } },
      [{ $set: { nextPollAt } }],
      { session, updatePipeline: true },
    );
  }

  /** Forgets looks past the deadline at a time that was not yet. @param nowMs chain time */
  async correctReadTimes(addresses: readonly Address[], nowMs: number, session: ClientSession): Promise<void> {
    const of = { _id: { $in: addresses } };
    await this.watches.update(of, { $set: { readPastDeadlineAtBlock: null } }, session);
    await this.watches.rows.updateMany(of, { $min: { readAt: new Date(nowMs) } }, { session });
  }

  /** Counts that it is told once more what is seen at some addresses. One that is not watched is left out. */
  async nextSeenRevisions(
    addresses: readonly Address[],
    session: ClientSession,
  ): Promise<readonly Pick<Watch, 'address' | 'jobId' | 'seenRevision'>[]> {
    const filter = { _id: { $in: addresses } };
    await this.watches.update(filter, { $inc: { seenRevision: 1 } }, session);
    const rows = await this.watches.rows
      .find(filter, { jobId: 1, seenRevision: 1 })
      .session(session)
      .lean<{ _id: Address; jobId: string; seenRevision: number }[]>();
    return rows.map(({ _id, jobId, seenRevision }) => ({ address: _id, jobId, seenRevision }));
  }

  async markDeadlinePassed(address: Address, atMs: number, session: ClientSession): Promise<boolean> {
    const filter = { _id: address, deadlinePassedAt: null };
    return (await this.watches.update(filter, { $set: { deadlinePassedAt: new Date(atMs) } }, session)) > 0;
  }

  /** Forgets what was learned from blocks that are no longer part of the chain. */
  async rewind(ancestorBlock: number, session: ClientSession): Promise<void> {
    const above = { $gt: ancestorBlock };
    await this.watches.update(
      { mentions: { $elemMatch: { blockNumber: above } } },
      { $pull: { mentions: { blockNumber: above } } },
      session,
    );
    const unread = { readAtBlock: null, readAt: null, nextPollAt: null, searchedBack: false };
    const changes = [
      [{ readPastDeadlineAtBlock: above }, { readPastDeadlineAtBlock: null }],
      [{ spendingSinceBlock: above }, { spendingSinceBlock: null }],
      [{ readAtBlock: above }, unread],
      [{ scannedFromBlock: above }, { scannedFromBlock: ancestorBlock + 1 }],
    ] as const;
    for (const [filter, $set] of changes) await this.watches.update(filter, { $set }, session);
  }

  /** Ends the watches whose time after the job's end is over, and which were read after it. @returns their addresses */
  async closeEnded(nowMs: number): Promise<Address[]> {
    const wasRead = { $expr: { $gte: ['$readAt', '$watchUntil'] } };
    const filter = { closed: false, watchUntil: { $lt: new Date(nowMs) }, $or: [...UNREADABLE, wasRead] };
    const addresses = await this.addressesOf(filter);
    if (addresses.length > 0) await this.watches.update({ _id: { $in: addresses } }, { $set: { closed: true } });
    return addresses;
  }

  private async addressesOf(filter: object): Promise<Address[]> {
    const rows = await this.watches.rows.find(filter, { _id: 1 }).lean<{ _id: Address }[]>();
    return rows.map(({ _id }) => _id);
  }
}

/** Followed watches whose deadline was not announced. @param beforeMs those of a deadline before this time */
function unannounced(beforeMs?: number) {
  const deadlineAt = beforeMs === undefined ? {} : { deadlineAt: { $lt: new Date(beforeMs) } };
  return { closed: false, deadlinePassedAt: null, ...deadlineAt, scannedFromBlock: { $ne: null } };
}

function ofAge({ since, afterMs, untilMs, besides }: WatchAge) {
  const within = (addedMs: number) => ({ $gt: new Date(afterMs + addedMs), $lte: new Date(untilMs + addedMs) });
  const [aged, $sort] =
    since === 'endedAt'
      ? ([{ watchUntil: within(WATCH_AFTER_END_MS) }, { watchUntil: 1 }] as const)
      : ([{ createdAt: within(0), deadlinePassedAt: null, watchUntil: null }, { createdAt: 1 }] as const);
  return [{ $match: { closed: false, ...aged, _id: { $nin: besides } } }, { $sort }];
}

function searchedWatch({ _id, createdAt, watchUntil, finds, ...watch }: SearchedRow, kind: WrongAsset): SearchedWatch {
  const find = finds?.[kind];
  return {
    ...watch,
    address: _id,
    createdAtMs: createdAt.getTime(),
    ...(watchUntil && { endedAtMs: watchUntil.getTime() - WATCH_AFTER_END_MS }),
    ...(find && { find }),
  };
}
