import { AMOUNT, Connection, EntityCollection, EntitySchema, timeAs } from '@maker/persistence';
import { isDust } from '@maker/rules';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Address } from 'viem';
import type { Deposit, DepositState } from './deposit.ts';
import { DustRepository } from './dust.repository.ts';

/** With how it stands. */
interface StoredDeposit extends Deposit {
  readonly state: DepositState;
  /** The newest block when it was credited. */
  readonly creditedAtBlock?: number;
  /** While displaced: the block up to which it is expected to be mined again. */
  readonly expectedToBlock?: number;
  /** Whether the last that was told of it is that it was dropped. */
  readonly toldDropped?: boolean;
}

const schema = new EntitySchema<StoredDeposit, 'depositId'>(
  'deposits',
  {
    address: String,
    jobId: String,
    kind: String,
    amountWei: AMOUNT,
    from: String,
    transactionHash: String,
    blockNumber: Number,
    blockHash: String,
    blockAtMs: timeAs('blockAt'),
    seenAtBlock: Number,
    occurrence: Number,
    state: String,
    creditedAtBlock: Number,
    expectedToBlock: Number,
    toldDropped: Boolean,
  },
  'depositId',
)
  // With the amount, so that sums read no rows: strangers can send any number of deposits.
  .index({ address: 1, state: 1, blockNumber: 1, amountWei: 1 })
  .index({ address: 1, _id: 1 })
  .index({ state: 1, seenAtBlock: 1 });

/** Seen for the first time: nothing was ever told of it. */
const FOUND_ONCE = { state: 'seen', occurrence: 1 };

/** States in which a deposit explains a balance. */
const PRESENT: readonly DepositState[] = ['seen', 'credited'];
/** States in which it is not decided yet whether a deposit counts. */
const UNDECIDED: readonly DepositState[] = ['seen', 'displaced'];
/** States from which a deposit that is found again is seen once more. */
const AWAY: readonly DepositState[] = ['displaced', 'dropped'];

/** All reads and writes of deposits. */
@Injectable()
export class DepositsRepository {
  private readonly deposits: EntityCollection<StoredDeposit, 'depositId'>;
  /**
   * Undecided states that may have deposits. Each block asks for them and few blocks have any, and only the active scanner writes
   * deposits: what it found empty stays so until it writes.
   */
  private readonly mayHave = new Set<DepositState>(UNDECIDED);

  constructor(
    connection: Connection,
    private readonly dust: DustRepository,
  ) {
    this.deposits = new EntityCollection(connection, schema);
  }

  /** Forgets what is empty: another process may have written deposits. Called when a scan begins. */
  readAgain(): void {
    for (const state of UNDECIDED) this.mayHave.add(state);
  }

  /**
   * Saves deposits as seen. One that is known stays as it is, unless its block had left the chain: this is its new one.
   * @returns the addresses of those that were not known, or had left: to be told of at once, unless it is dust
   */
  async insertSeen(deposits: readonly Deposit[], session: ClientSession): Promise<Set<Address>> {
    const paid = new Set<Address>();
    if (deposits.length === 0) return paid;
    this.mayHave.add('seen');
    const seen = deposits.map((deposit) => ({ ...deposit, state: 'seen' as const }));
    // Together: a block may hold as many as strangers put into it, and the next block waits for this one.
    const { upsertedIds } = await this.deposits.rows.bulkWrite(
      seen
        .map((deposit) => schema.toRow(deposit))
        .map(({ _id, ...row }) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } })),
      { session, ordered: false },
    );
    for (const [index, deposit] of seen.entries()) {
      const isNew = index in upsertedIds || (await this.findAgain(deposit, session));
      if (isNew && !isDust(deposit.amountWei)) paid.add(deposit.address);
    }
    return paid;
  }

  /** @returns whether the block of a known deposit had left the chain: this is its new one */
  private async findAgain(deposit: StoredDeposit, session: ClientSession): Promise<boolean> {
    const { depositId: _id, occurrence: _, ...found } = deposit;
    const matched = await this.deposits.update(
      { _id, state: { $in: AWAY } },
      { $set: schema.stored(found), $inc: { occurrence: 1 }, $unset: { expectedToBlock: 1 } },
      session,
    );
    return matched > 0;
  }

  /** All that is seen at some addresses, credited or not, wei. An address at which nothing is seen is absent. */
  async seenWei(addresses: readonly Address[], session: ClientSession): Promise<ReadonlyMap<Address, bigint>> {
    return this.sums({ address: { $in: addresses }, state: { $in: PRESENT } }, session);
  }

  /**
   * What came to some addresses in blocks up to one, seen or credited, dust included, wei. An address to which nothing came is absent.
   * @param dustUpToBlock rows of dust with newer blocks are left out
   */
  async sumsUpTo(
    blockNumber: number,
    addresses: readonly Address[],
    dustUpToBlock = blockNumber,
  ): Promise<ReadonlyMap<Address, bigint>> {
    if (addresses.length === 0) return new Map();
    const present = { address: { $in: addresses }, blockNumber: { $lte: blockNumber }, state: { $in: PRESENT } };
    const [sums, dust] = await Promise.all([this.sums(present), this.dust.sumsUpTo(dustUpToBlock, addresses)]);
    const all = new Map(sums);
    for (const [address, wei] of dust) all.set(address, (all.get(address) ?? 0n) + wei);
    return all;
  }

  /** Deposits that are known since a block or longer and not credited yet, oldest first. */
  async uncredited(seenAtMostAtBlock: number, limit: number, besides: readonly string[] = []): Promise<Deposit[]> {
    const others = besides.length > 0 ? { _id: { $nin: besides } } : {};
    const filter = { state: 'seen', seenAtBlock: { $lte: seenAtMostAtBlock }, ...others };
    return this.undecided('seen', () => this.deposits.list(filter, { sort: { seenAtBlock: 1 }, limit }));
  }

  /** Whether dust of an address has become a deposit. */
  async hasDustDeposit(address: Address): Promise<boolean> {
    const ids = { $gte: `${address}:dust:`, $lt: `${address}:dust;` };
    return (await this.deposits.rows.exists({ _id: ids }).lean()) !== null;
  }

  /** How many deposits wait to be credited, and the block time of the oldest, ms. */
  async countUncredited(): Promise<{ count: number; oldestBlockAtMs: number | undefined }> {
    const seen = { state: 'seen' };
    const [count, oldest] = await Promise.all([
      this.deposits.rows.countDocuments(seen),
      this.deposits.rows.findOne(seen, { blockAt: 1 }).sort({ seenAtBlock: 1 }).lean<{ blockAt: Date }>(),
    ]);
    return { count, oldestBlockAtMs: oldest?.blockAt.getTime() };
  }

  /** Of these addresses, those with a deposit of which it is not decided whether it counts. */
  async addressesWithUndecided(
    addresses: readonly Address[],
    states: readonly DepositState[] = UNDECIDED,
  ): Promise<Set<Address>> {
    // One of each is enough: strangers may have sent any number of them.
    const unique = [...new Set(addresses)];
    const found = await Promise.all(
      unique.map((address) => this.deposits.rows.exists({ address, state: { $in: states } }).lean()),
    );
    return new Set(unique.filter((_, index) => found[index] !== null));
  }

  /** The lowest block of a deposit of the address of which it is not decided whether it counts. */
  async firstUndecidedBlock(address: Address): Promise<number | undefined> {
    const filter = { address, state: { $in: UNDECIDED } };
    const [lowest] = await this.deposits.list(filter, { sort: { blockNumber: 1 }, limit: 1 });
    return lowest?.blockNumber;
  }

  /** What was credited to an address of blocks up to a time, wei. @param atMs of the newest of them */
  async creditedWei(address: Address, atMs: number): Promise<bigint> {
    const filter = { address, state: 'credited', blockAt: { $lte: new Date(atMs) } };
    return (await this.sums(filter)).get(address) ?? 0n;
  }

  /** A page of the credited deposits of an address, by the order of their ids. */
  async creditedAfter(address: Address, after: string, limit: number): Promise<Deposit[]> {
    return this.deposits.list({ address, state: 'credited', _id: { $gt: after } }, { sort: { _id: 1 }, limit });
  }

  /** @returns the ids of those that were not credited before, and are still there */
  async markCredited(
    depositIds: readonly string[],
    atBlock: number,
    session: ClientSession,
  ): Promise<ReadonlySet<string>> {
    const filter = { _id: { $in: depositIds }, state: 'seen' };
    const ids = (await this.deposits.rows.find(filter, { _id: 1 }).session(session).lean()).map(({ _id }) => _id);
    const credited = { state: 'credited', creditedAtBlock: atBlock, toldDropped: false };
    await this.deposits.update(filter, { $set: credited }, session);
    return new Set(ids);
  }

  /** @param times earlier times than were seen first, ms, by deposit */
  async correctTimes(times: ReadonlyMap<string, number>, session: ClientSession): Promise<void> {
    for (const [_id, blockAtMs] of times)
      await this.deposits.update({ _id }, { $set: schema.stored({ blockAtMs }) }, session);
  }

  /** Nobody is named as the sender of these any longer. */
  async forgetPayers(depositIds: readonly string[], session: ClientSession): Promise<void> {
    if (depositIds.length === 0) return;
    await this.deposits.update({ _id: { $in: depositIds } }, { $unset: { from: 1 } }, session);
  }

  /** Forgets a deposit that a recheck did not find. */
  async dropSeen(deposit: Deposit, session: ClientSession): Promise<void> {
    this.readAgain();
    const { depositId: _id, seenAtBlock } = deposit;
    await this.deposits.rows.deleteOne({ _id, ...FOUND_ONCE }, { session });
    await this.giveBack({ _id }, seenAtBlock, session);
  }

  /**
   * Forgets what was seen in blocks that are no longer part of the chain, and notes what had been credited in them.
   * @param expectedToBlock up to where those are expected to be mined again
   * @returns ids of those, and the addresses at which less is seen now
   */
  async rewind(
    ancestorBlock: number,
    expectedToBlock: number,
    session: ClientSession,
  ): Promise<{ displaced: string[]; addresses: Set<Address> }> {
    this.readAgain();
    const above = { seenAtBlock: { $gt: ancestorBlock } };
    const present = { ...above, state: { $in: PRESENT } };
    const gone = await this.deposits.rows.find(present, { address: 1 }).session(session).lean<{ address: Address }[]>();
    await this.deposits.rows.deleteMany({ ...above, ...FOUND_ONCE }, { session });
    await this.giveBack(above, expectedToBlock, session);
    await this.deposits.rows.updateMany({ state: 'displaced' }, { $max: { expectedToBlock } }, { session });
    const filter = { ...above, state: 'credited' };
    const credited = await this.deposits.rows.find(filter, { _id: 1 }).session(session).lean();
    await this.deposits.update(filter, { $set: { state: 'displaced', expectedToBlock } }, session);
    return { displaced: credited.map(({ _id }) => _id), addresses: new Set(gone.map(({ address }) => address)) };
  }

  /** Displaced deposits that were expected to be mined again before a block. */
  async overdue(blockNumber: number): Promise<Deposit[]> {
    const filter = { state: 'displaced', expectedToBlock: { $lt: blockNumber } };
    return this.undecided('displaced', () => this.deposits.list(filter));
  }

  /** @returns false when it is no longer displaced */
  async settleDisplaced(depositId: string, state: 'credited' | 'dropped', session: ClientSession): Promise<boolean> {
    const matched = await this.deposits.update(
      { _id: depositId, state: 'displaced' },
      { $set: { state, toldDropped: state === 'dropped' }, $unset: { expectedToBlock: 1 } },
      session,
    );
    return matched > 0;
  }

  /** Some deposits of a state, read unless there are known to be none. */
  private async undecided(state: DepositState, read: () => Promise<Deposit[]>): Promise<Deposit[]> {
    if (!this.mayHave.has(state)) return [];
    const some = await read();
    if (some.length === 0 && !(await this.deposits.rows.exists({ state }).lean())) this.mayHave.delete(state);
    return some;
  }

  /** By address, wei: summed up in the database, since strangers can send any number of deposits. */
  private sums(filter: object, session?: ClientSession): Promise<ReadonlyMap<Address, bigint>> {
    return this.deposits.amountWeiSumsBy<Address>('address', filter, session);
  }

  /** What was found again and then lost again is where it was before: of the newer occurrence nothing was told. */
  private async giveBack(where: object, expectedToBlock: number, session: ClientSession): Promise<void> {
    const foundAgain = { ...where, state: 'seen', occurrence: { $gt: 1 } };
    const less = { $inc: { occurrence: -1 } };
    const dropped = { ...foundAgain, toldDropped: true };
    await this.deposits.update(dropped, { $set: { state: 'dropped' }, ...less }, session);
    await this.deposits.update(foundAgain, { $set: { state: 'displaced', expectedToBlock }, ...less }, session);
  }
}
