import { AMOUNT, Connection, EntityCollection, EntitySchema, timeAs } from '@maker/persistence';
import { isDust } from '@maker/rules';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Address, Hash } from 'viem';
import type { Deposit, DepositState } from './deposit.ts';
import { DustRepository } from './dust.repository.ts';

/** A deposit with its state. */
interface StoredDeposit extends Deposit {
  readonly state: DepositState;
  /** The newest block at the time of the credit. */
  readonly creditedAtBlock?: number;
  /** While displaced: the last block in which it may be mined again. */
  readonly expectedToBlock?: number;
  /** Whether the last event of this deposit reported its drop. */
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
    sinceBlock: Number,
    occurrence: Number,
    state: String,
    creditedAtBlock: Number,
    expectedToBlock: Number,
    toldDropped: Boolean,
  },
  'depositId',
)
  // Includes the amount, so that sums read no rows: strangers can send any number of deposits.
  .index({ address: 1, state: 1, blockNumber: 1, amountWei: 1 })
  .index({ address: 1, _id: 1 })
  .index({ state: 1, seenAtBlock: 1 });

/** Seen for the first time: no event has reported it as credited. */
const FOUND_ONCE = { state: 'seen', occurrence: 1 };

/** States in which a deposit explains a balance. */
const PRESENT: readonly DepositState[] = ['seen', 'credited'];
/** States of deposits that may still be credited or dropped. */
const UNDECIDED: readonly DepositState[] = ['seen', 'displaced'];
/** States from which a deposit becomes `seen` again when it is found again. */
const AWAY: readonly DepositState[] = ['displaced', 'dropped'];

/** All reads and writes of deposits. */
@Injectable()
export class DepositsRepository {
  private readonly deposits: EntityCollection<StoredDeposit, 'depositId'>;
  /**
   * Cache: undecided states that may have deposits. Each block queries them, and few blocks have any. Only the active scanner writes
   * deposits, so a state without deposits stays empty until this process writes.
   */
  private readonly mayHave = new Set<DepositState>(UNDECIDED);

  constructor(
    connection: Connection,
    private readonly dust: DustRepository,
  ) {
    this.deposits = new EntityCollection(connection, schema);
  }

  /** Invalidates the cache of empty states when a scan begins: another process may have written deposits. */
  invalidateCache(): void {
    for (const state of UNDECIDED) this.mayHave.add(state);
  }

  /**
   * Saves deposits as seen. A known deposit stays unchanged, unless its block left the chain: then it moves to its new block.
   * @returns addresses of new and moved deposits, without dust, for `payment.seen`
   */
  async insertSeen(deposits: readonly Deposit[], session: ClientSession): Promise<Set<Address>> {
    const paid = new Set<Address>();
    if (deposits.length === 0) return paid;
    this.mayHave.add('seen');
    const seen = deposits.map((deposit) => ({ ...deposit, state: 'seen' as const }));
    // One bulk write: strangers choose the number of deposits in a block, and the next block waits for it.
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

  /** Moves a displaced or dropped deposit to its new block. @returns whether the deposit was displaced or dropped */
  private async findAgain(deposit: StoredDeposit, session: ClientSession): Promise<boolean> {
    const { depositId: _id, occurrence: _, ...found } = deposit;
    const matched = await this.deposits.update(
      { _id, state: { $in: AWAY } },
      { $set: schema.stored(found), $inc: { occurrence: 1 }, $unset: { expectedToBlock: 1 } },
      session,
    );
    return matched > 0;
  }

  /** Sums of seen and credited deposits by address, wei. An address without deposits is absent. */
  async seenWei(addresses: readonly Address[], session: ClientSession): Promise<ReadonlyMap<Address, bigint>> {
    return this.sums({ address: { $in: addresses }, state: { $in: PRESENT } }, session);
  }

  /**
   * Sums of seen and credited deposits and dust in blocks up to one, by address, wei. An address without money is absent.
   * @param dustUpToBlock excludes dust rows whose newest block is above it
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

  /** Uncredited deposits that were seen at or before a block, oldest first. @param except ids to leave out */
  async uncredited(seenAtMostAtBlock: number, limit: number, except: readonly string[] = []): Promise<Deposit[]> {
    const others = except.length > 0 ? { _id: { $nin: except } } : {};
    const filter = { state: 'seen', seenAtBlock: { $lte: seenAtMostAtBlock }, ...others };
    return this.undecided('seen', () => this.deposits.list(filter, { sort: { seenAtBlock: 1 }, limit }));
  }

  /** Transactions of the other deposits of a deposit's address from a block on. */
  async otherTransactions({ address, depositId }: Deposit, blockNumber: number): Promise<ReadonlySet<Hash>> {
    const filter = { _id: { $ne: depositId }, address, state: { $in: PRESENT }, blockNumber: { $gte: blockNumber } };
    const rows = await this.deposits.rows.find(filter, { transactionHash: 1 }).lean<{ transactionHash?: Hash }[]>();
    return new Set(rows.flatMap(({ transactionHash }) => transactionHash ?? []));
  }

  /** Whether dust of an address has become a deposit. */
  async hasDustDeposit(address: Address): Promise<boolean> {
    const ids = { $gte: `${address}:dust:`, $lt: `${address}:dust;` };
    return (await this.deposits.rows.exists({ _id: ids }).lean()) !== null;
  }

  /** Number of uncredited deposits, and the block time of the oldest, ms. */
  async countUncredited(): Promise<{ count: number; oldestBlockAtMs: number | undefined }> {
    const seen = { state: 'seen' };
    const [count, oldest] = await Promise.all([
      this.deposits.rows.countDocuments(seen),
      this.deposits.rows.findOne(seen, { blockAt: 1 }).sort({ seenAtBlock: 1 }).lean<{ blockAt: Date }>(),
    ]);
    return { count, oldestBlockAtMs: oldest?.blockAt.getTime() };
  }

  /** Returns those of the addresses that have an undecided deposit. */
  async addressesWithUndecided(
    addresses: readonly Address[],
    states: readonly DepositState[] = UNDECIDED,
  ): Promise<Set<Address>> {
    // One deposit of each address is enough: strangers may have sent any number of them.
    const unique = [...new Set(addresses)];
    const found = await Promise.all(
      unique.map((address) => this.deposits.rows.exists({ address, state: { $in: states } }).lean()),
    );
    return new Set(unique.filter((_, index) => found[index] !== null));
  }

  /** The lowest block with an undecided deposit of the address. */
  async firstUndecidedBlock(address: Address): Promise<number | undefined> {
    const filter = { address, state: { $in: UNDECIDED } };
    const [lowest] = await this.deposits.list(filter, { sort: { blockNumber: 1 }, limit: 1 });
    return lowest?.blockNumber;
  }

  /** Sum of credited deposits of an address in blocks up to a time, wei. @param atMs latest block time, ms */
  async creditedWei(address: Address, atMs: number): Promise<bigint> {
    const filter = { address, state: 'credited', blockAt: { $lte: new Date(atMs) } };
    return (await this.sums(filter)).get(address) ?? 0n;
  }

  /** A page of the credited deposits of an address, ordered by id. */
  async creditedAfter(address: Address, after: string, limit: number): Promise<Deposit[]> {
    return this.deposits.list({ address, state: 'credited', _id: { $gt: after } }, { sort: { _id: 1 }, limit });
  }

  /** @returns ids of the deposits that were `seen` until now */
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

  /** Removes a deposit that a recheck did not find. */
  async dropSeen(deposit: Deposit, session: ClientSession): Promise<void> {
    this.invalidateCache();
    const { depositId: _id, seenAtBlock } = deposit;
    await this.deposits.rows.deleteOne({ _id, ...FOUND_ONCE }, { session });
    await this.revertFoundAgain({ _id }, seenAtBlock, session);
  }

  /**
   * Removes seen deposits of blocks that left the chain, and marks credited ones as displaced.
   * @param expectedToBlock the last block in which displaced deposits may be mined again
   * @returns ids of the displaced deposits, and the addresses whose seen sum fell
   */
  async rewind(
    ancestorBlock: number,
    expectedToBlock: number,
    session: ClientSession,
  ): Promise<{ displaced: string[]; addresses: Set<Address> }> {
    this.invalidateCache();
    const above = { seenAtBlock: { $gt: ancestorBlock } };
    const present = { ...above, state: { $in: PRESENT } };
    const gone = await this.deposits.rows.find(present, { address: 1 }).session(session).lean<{ address: Address }[]>();
    await this.deposits.rows.deleteMany({ ...above, ...FOUND_ONCE }, { session });
    await this.revertFoundAgain(above, expectedToBlock, session);
    await this.deposits.rows.updateMany({ state: 'displaced' }, { $max: { expectedToBlock } }, { session });
    const filter = { ...above, state: 'credited' };
    const credited = await this.deposits.rows.find(filter, { _id: 1 }).session(session).lean();
    await this.deposits.update(filter, { $set: { state: 'displaced', expectedToBlock } }, session);
    return { displaced: credited.map(({ _id }) => _id), addresses: new Set(gone.map(({ address }) => address)) };
  }

  /** Displaced deposits that were not mined again before a block, as expected. */
  async overdue(blockNumber: number): Promise<Deposit[]> {
    const filter = { state: 'displaced', expectedToBlock: { $lt: blockNumber } };
    return this.undecided('displaced', () => this.deposits.list(filter));
  }

  /** @returns false if the deposit is no longer displaced */
  async settleDisplaced(depositId: string, state: 'credited' | 'dropped', session: ClientSession): Promise<boolean> {
    const matched = await this.deposits.update(
      { _id: depositId, state: 'displaced' },
      { $set: { state, toldDropped: state === 'dropped' }, $unset: { expectedToBlock: 1 } },
      session,
    );
    return matched > 0;
  }

  /** Reads deposits of a state, unless the cache knows that there are none. */
  private async undecided(state: DepositState, read: () => Promise<Deposit[]>): Promise<Deposit[]> {
    if (!this.mayHave.has(state)) return [];
    const some = await read();
    if (some.length === 0 && !(await this.deposits.rows.exists({ state }).lean())) this.mayHave.delete(state);
    return some;
  }

  /** Sums by address, wei. The database computes them, because strangers can send any number of deposits. */
  private sums(filter: object, session?: ClientSession): Promise<ReadonlyMap<Address, bigint>> {
    return this.deposits.amountWeiSumsBy<Address>('address', filter, session);
  }

  /** Returns a deposit that was found again and lost again to its earlier state: no event reported its newer occurrence. */
  private async revertFoundAgain(where: object, expectedToBlock: number, session: ClientSession): Promise<void> {
    const foundAgain = { ...where, state: 'seen', occurrence: { $gt: 1 } };
    const less = { $inc: { occurrence: -1 } };
    const dropped = { ...foundAgain, toldDropped: true };
    await this.deposits.update(dropped, { $set: { state: 'dropped' }, ...less }, session);
    await this.deposits.update(foundAgain, { $set: { state: 'displaced', expectedToBlock }, ...less }, session);
  }
}
