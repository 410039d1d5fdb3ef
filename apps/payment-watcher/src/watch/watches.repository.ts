import { Connection, EntityCollection, EntitySchema, onCommit, timeAs } from '@maker/persistence';
import { WATCH_AFTER_END_MS } from '@maker/rules';
import { currentOrigin } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type ClientSession, Schema } from 'mongoose';
import type { Address } from 'viem';
import { UNSEEN_WATCH } from './unseen-watch.ts';
import type { MentionFact, ReportedFind, Watch, WrongAsset } from './watch.ts';

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
 * Divisor of the time since an announced deadline; the result is the time to the next poll. Later money is late anyway,
 * and a day has about fifty polls instead of thousands.
 */
const POLLED_EVERY_PART = 8;

/** Watches whose balance proves nothing. */
const UNREADABLE = [{ spendingSinceBlock: { $ne: null } }, { scannedFromBlock: null }];

/** Watches of waiting jobs with a saved reading and no unexplained mention. */
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

/** A watch whose address is searched for assets that pay for no job. */
export interface SearchedWatch extends Pick<Watch, 'address' | 'jobId' | 'tokenAddress' | 'createdAtMs'> {
  /** End of the job by the job service's clock, ms; absent while the job waits for its payment. */
  readonly endedAtMs?: number;
  /** The reported find; absent if nothing was found. */
  readonly find?: ReportedFind;
}

/** A range of ages of watches. */
export interface WatchAge {
  /** Start of the age: creation for waiting jobs, end for ended ones. */
  readonly since: 'createdAt' | 'endedAt';
  /** Range of that start by the job service's clock, ms. */
  readonly afterMs: number;
  readonly untilMs: number;
  readonly except: readonly Address[];
}

interface SearchedRow extends Pick<Watch, 'jobId' | 'tokenAddress' | 'watchUntil' | 'finds'> {
  readonly _id: Address;
  readonly createdAt: Date;
}

interface PolledRow {
  readonly _id: Address;
  readonly settled: boolean;
}

/** All reads and writes of watched addresses. */
@Injectable()
export class WatchesRepository {
  private readonly watches: EntityCollection<Watch, 'address'>;
  /**
   * Cache: lower bound of all unannounced deadlines, ms; undefined if unknown. Each block queries passed deadlines, and few blocks pass
   * one. Only the active scanner takes over watches.
   */
  private nextDeadlineMs: number | undefined;
  /** Whether this process has written since its last check for new watches. */
  private mayHaveRegistered = true;

  constructor(connection: Connection) {
    this.watches = new EntityCollection(connection, schema);
    onCommit(connection, () => {
      this.mayHaveRegistered = true;
    });
  }

  /** Invalidates the caches when a scan begins: another process may have taken over watches. */
  invalidateCache(): void {
    this.nextDeadlineMs = undefined;
    this.mayHaveRegistered = true;
  }

  async findByJob(jobId: string): Promise<Watch | undefined> {
    const [watch] = await this.watches.list({ jobId });
    return watch;
  }

  /** Returns a new watch with the current trace origin. */
  prepare({ address, jobId, ...more }: NewWatch): Watch {
    return { address, jobId, origin: currentOrigin(), ...more, ...UNSEEN_WATCH };
  }

  /** @throws a duplicate key error if the address or job already has a watch */
  async insert(watches: readonly Watch[], session: ClientSession): Promise<void> {
    await this.watches.insert(watches, session);
  }

  /** Sets the end of a watch. @returns false if the job has no watch */
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
   * @param isDue whether to check for those of other processes; those of this process are always found
   */
  async newAddresses(isDue: boolean): Promise<Address[]> {
    if (!isDue && !this.mayHaveRegistered) return [];
    this.mayHaveRegistered = false;
    return this.addressesOf({ closed: false, scannedFromBlock: null });
  }

  /**
   * Addresses to poll whose wallets do not spend: all before their announced deadline, and others that are due or need their last
   * reading. `settled` marks addresses whose reading of zero changes nothing.
   * @param nowMs chain time @param mostAbandoned limit of the others, the longest due first
   */
  async toPoll(nowMs: number, mostAbandoned: number): Promise<{ address: Address; settled: boolean }[]> {
    const readable = { closed: false, scannedFromBlock: { $ne: null }, spendingSinceBlock: null };
    const now = new Date(nowMs);
    const abandoned = { ...readable, $or: [{ nextPollAt: { $lte: now } }, { watchUntil: { $lt: now } }] };
    const [waiting, due] = await Promise.all([
      this.watches.rows.find({ ...readable, nextPollAt: null }, { _id: 1, settled: SETTLED }).lean<PolledRow[]>(),
      this.watches.rows
        .find({ ...abandoned, nextPollAt: { $ne: null } }, { _id: 1 })
        .sort({ nextPollAt: 1 })
        .limit(mostAbandoned)
        .lean<Pick<PolledRow, '_id'>[]>(),
    ]);
    return [
      ...waiting.map(({ _id, settled }) => ({ address: _id, settled })),
      ...due.map(({ _id }) => ({ address: _id, settled: false })),
    ];
  }

  /** Addresses past their deadline by the chain's time whose balance was not read since. */
  async unreadPastDeadline(chainTimeMs: number): Promise<Address[]> {
    if (await this.isBeforeDeadlines(chainTimeMs)) return [];
    return this.addressesOf({ ...unannounced(chainTimeMs), readPastDeadlineAtBlock: null });
  }

  /** Watches in the given ranges of age, oldest first. Waiting ones have no announced deadline. @param most limit of the result */
  async toSearch(kind: WrongAsset, ages: readonly WatchAge[], most: number): Promise<SearchedWatch[]> {
    const [first = [], ...others] = ages.map((age) => [...ofAge(age), { $limit: most }, { $project: SEARCHED_FIELDS }]);
    const { name: coll } = this.watches.rows.collection;
    const more = others.map((pipeline) => ({ $unionWith: { coll, pipeline } }));
    const rows = await this.watches.rows.aggregate<SearchedRow>([...first, ...more]);
    const watches = rows.map((row) => searchedWatch(row, kind));
    return watches.toSorted((one, other) => one.createdAtMs - other.createdAtMs).slice(0, most);
  }

  /** Watches of ended jobs, also closed ones, with a reported find whose next search is due, the longest due first. */
  async toSearchAgain(kind: WrongAsset, nowMs: number, most: number): Promise<SearchedWatch[]> {
    const againAt = `finds.${kind}.againAt`;
    const rows = await this.watches.rows
      .find({ [againAt]: { $lte: new Date(nowMs) }, watchUntil: { $ne: null } }, SEARCHED_FIELDS)
      .sort({ [againAt]: 1 })
      .limit(most)
      .lean<SearchedRow[]>();
    return rows.map((row) => searchedWatch(row, kind));
  }

  /** Saves the reported find of a job. @param find undefined if nothing was found */
  async noteFind(
    kind: WrongAsset,
    jobId: string,
    find: ReportedFind | undefined,
    session?: ClientSession,
  ): Promise<void> {
    const field = `finds.${kind}`;
    await this.watches.update({ jobId }, find ? { $set: { [field]: find } } : { $unset: { [field]: 1 } }, session);
  }

  /** Watches past their deadline by the chain's time, without an announcement. */
  async pastDeadline(chainTimeMs: number): Promise<Watch[]> {
    if (await this.isBeforeDeadlines(chainTimeMs)) return [];
    const past = await this.watches.list(unannounced(chainTimeMs));
    if (past.length === 0) this.invalidateCache();
    return past;
  }

  /** Whether a time is at or before all unannounced deadlines. */
  private async isBeforeDeadlines(chainTimeMs: number): Promise<boolean> {
    this.nextDeadlineMs ??= await this.firstDeadline();
    return chainTimeMs <= this.nextDeadlineMs;
  }

  private async firstDeadline(): Promise<number> {
    const [watch] = await this.watches.list(unannounced(), { sort: { deadlineAt: 1 }, limit: 1 });
    return watch?.deadlineMs ?? Number.POSITIVE_INFINITY;
  }

  async takeOver(addresses: readonly Address[], fromBlock: number, session: ClientSession): Promise<void> {
    this.invalidateCache();
    const filter = { _id: { $in: addresses }, scannedFromBlock: null };
    await this.watches.update(filter, { $set: { scannedFromBlock: fromBlock } }, session);
  }

  /** Saves mentions in one write without a transaction: strangers choose their number. */
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

  /** Saves a reading of balances and removes the mentions up to its block. */
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
    const nextPollAt = { $add: [readAt.readAt, { $divide: [sinceDeadline, POLLED_EVERY_PART] }] };
    await this.watches.rows.updateMany(
      { _id: { $in: addresses }, deadlinePassedAt: { $ne: null } },
      [{ $set: { nextPollAt } }],
      { session, updatePipeline: true },
    );
  }

  /** Resets readings that a wrong block time dated past the deadline. @param nowMs chain time */
  async correctReadTimes(addresses: readonly Address[], nowMs: number, session: ClientSession): Promise<void> {
    const of = { _id: { $in: addresses } };
    await this.watches.update(of, { $set: { readPastDeadlineAtBlock: null } }, session);
    await this.watches.rows.updateMany(of, { $min: { readAt: new Date(nowMs) } }, { session });
  }

  /** Increments the `payment.seen` revisions of addresses and returns them, without unwatched addresses. */
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

  /** Resets facts from removed blocks. */
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

  /** Closes watches past their end that were read after it, or cannot be read. @returns their addresses */
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

/** Filter for taken-over watches with an unannounced deadline. @param beforeMs upper bound of the deadline, ms */
function unannounced(beforeMs?: number) {
  const deadlineAt = beforeMs === undefined ? {} : { deadlineAt: { $lt: new Date(beforeMs) } };
  return { closed: false, deadlinePassedAt: null, ...deadlineAt, scannedFromBlock: { $ne: null } };
}

function ofAge({ since, afterMs, untilMs, except }: WatchAge) {
  const within = (addedMs: number) => ({ $gt: new Date(afterMs + addedMs), $lte: new Date(untilMs + addedMs) });
  const [aged, $sort] =
    since === 'endedAt'
      ? ([{ watchUntil: within(WATCH_AFTER_END_MS) }, { watchUntil: 1 }] as const)
      : ([{ createdAt: within(0), deadlinePassedAt: null, watchUntil: null }, { createdAt: 1 }] as const);
  return [{ $match: { closed: false, ...aged, _id: { $nin: except } } }, { $sort }];
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
