import { MONGO_CONNECTION } from '@maker/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { type ClientSession, type Connection, type Model, Schema } from 'mongoose';
import type { Address, Hash } from 'viem';
import type { Deposit, DepositKind } from './deposit.ts';

interface DepositRow {
  /** The deposit id. */
  _id: string;
  address: Address;
  jobId: string;
  kind: DepositKind;
  amountWei: string;
  from?: Address;
  transactionHash?: Hash;
  blockNumber: number;
  blockHash?: Hash;
  blockAt: Date;
  seenAtBlock: number;
  state: 'seen' | 'credited';
  /** The newest block when it was credited. */
  creditedAtBlock?: number;
}

const required = { type: String, required: true };

const schema = new Schema<DepositRow>(
  {
    _id: String,
    address: required,
    jobId: required,
    kind: required,
    amountWei: required,
    from: String,
    transactionHash: String,
    blockNumber: { type: Number, required: true },
    blockHash: String,
    blockAt: { type: Date, required: true },
    seenAtBlock: { type: Number, required: true },
    state: required,
    creditedAtBlock: Number,
  },
  { collection: 'deposits', versionKey: false },
);
schema.index({ address: 1, blockNumber: 1 });
schema.index({ state: 1, seenAtBlock: 1 });

/** All reads and writes of deposits. */
@Injectable()
export class DepositsRepository {
  private readonly rows: Model<DepositRow>;

  constructor(@Inject(MONGO_CONNECTION) connection: Connection) {
    this.rows = connection.model<DepositRow>('Deposit', schema);
  }

  async onModuleInit(): Promise<void> {
    await this.rows.createIndexes();
  }

  /** Saves deposits as seen; one that is known already stays as it is. */
  async insertSeen(deposits: readonly Deposit[], session: ClientSession): Promise<void> {
    for (const deposit of deposits) {
      const { _id, ...row } = toRow(deposit);
      await this.rows.updateOne({ _id }, { $setOnInsert: row }, { upsert: true, session });
    }
  }

  /** Deposits in blocks up to one, seen or credited, of some addresses. */
  async upTo(blockNumber: number, addresses: readonly Address[]): Promise<Deposit[]> {
    if (addresses.length === 0) return [];
    const rows = await this.rows.find({ address: { $in: addresses }, blockNumber: { $lte: blockNumber } }).lean();
    return rows.map(toDeposit);
  }

  /** Deposits that are known since a block or longer and not credited yet, oldest first. */
  async uncredited(seenAtMostAtBlock: number, limit: number): Promise<Deposit[]> {
    const filter = { state: 'seen' as const, seenAtBlock: { $lte: seenAtMostAtBlock } };
    return (await this.rows.find(filter).sort({ seenAtBlock: 1 }).limit(limit).lean()).map(toDeposit);
  }

  /** How many deposits wait to be credited, and the block time of the oldest, ms. */
  async countUncredited(): Promise<{ count: number; oldestBlockAtMs: number | undefined }> {
    const seen = { state: 'seen' as const };
    const [count, oldest] = await Promise.all([
      this.rows.countDocuments(seen),
      this.rows.findOne(seen, { blockAt: 1 }).sort({ seenAtBlock: 1 }).lean(),
    ]);
    return { count, oldestBlockAtMs: oldest?.blockAt.getTime() };
  }

  /** Of these addresses, those with a deposit that is not credited yet. */
  async addressesWithUncredited(addresses: readonly Address[]): Promise<Set<Address>> {
    if (addresses.length === 0) return new Set();
    const rows = await this.rows.find({ address: { $in: addresses }, state: 'seen' }, { address: 1 }).lean();
    return new Set(rows.map(({ address }) => address));
  }

  /** Credited deposits of an address. */
  async credited(address: Address): Promise<Deposit[]> {
    return (await this.rows.find({ address, state: 'credited' }).lean()).map(toDeposit);
  }

  /** @returns false when it was credited before, or is no longer there */
  async markCredited(depositId: string, atBlock: number, session: ClientSession): Promise<boolean> {
    const result = await this.rows.updateOne(
      { _id: depositId, state: 'seen' },
      { $set: { state: 'credited', creditedAtBlock: atBlock } },
      { session },
    );
    return result.modifiedCount > 0;
  }

  /** Forgets a deposit that a second look did not find. */
  async dropSeen(depositId: string, session: ClientSession): Promise<void> {
    await this.rows.deleteOne({ _id: depositId, state: 'seen' }, { session });
  }

  /**
   * Forgets what was seen in blocks that are no longer part of the chain.
   * @returns ids of deposits in those blocks that were credited already
   */
  async rewind(ancestorBlock: number, session: ClientSession): Promise<string[]> {
    const above = { $gt: ancestorBlock };
    await this.rows.deleteMany({ state: 'seen', seenAtBlock: above }, { session });
    const credited = await this.rows
      .find({ state: 'credited', blockNumber: above }, { _id: 1 })
      .session(session)
      .lean();
    return credited.map(({ _id }) => _id);
  }
}

function toRow(deposit: Deposit): DepositRow {
  const { depositId, amountWei, blockAtMs, ...same } = deposit;
  return { _id: depositId, ...same, amountWei: amountWei.toString(), blockAt: new Date(blockAtMs), state: 'seen' };
}

function toDeposit(row: DepositRow): Deposit {
  const { _id, amountWei, blockAt, state: _state, creditedAtBlock: _creditedAtBlock, ...same } = row;
  return { depositId: _id, ...same, amountWei: BigInt(amountWei), blockAtMs: blockAt.getTime() };
}
