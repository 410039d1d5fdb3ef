import { AMOUNT, type Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import type { ClientSession, PipelineStage } from 'mongoose';
import type { Address } from 'viem';
import type { Attempt, FinalTransaction, TransactionPurpose, TransactionRecord } from './transaction.ts';
import { ENTERED_FROM, OPEN_STATES, type TransactionState, UNCONFIRMED_STATES } from './transaction-state.ts';
import type { WalletNonces } from './wallet-nonces.ts';

/** A transaction may not enter the wanted state from its current state: nothing was changed. */
export class IllegalTransitionError extends Error {
  readonly code = 'ILLEGAL_TRANSITION';

  constructor(ids: readonly string[], state: TransactionState) {
    super(`Not every one of these transactions can become '${state}' now: ${ids.join(', ')}`);
    this.name = 'IllegalTransitionError';
  }
}

const schema = new EntitySchema<TransactionRecord>('transactions', {
  jobId: String,
  purpose: String,
  state: String,
  chainId: Number,
  sender: String,
  nonce: Number,
  to: String,
  data: String,
  gasLimit: Number,
  attempts: [
    {
      hash: String,
      rawTransaction: String,
      valueWei: AMOUNT,
      maxFeePerGasWei: AMOUNT,
      maxPriorityFeePerGasWei: AMOUNT,
      isVoid: Boolean,
    },
  ],
  inclusion: {
    hash: String,
    blockNumber: Number,
    blockHash: String,
    blockAt: Date,
    succeeded: Boolean,
    gasUsed: Number,
    gasWei: AMOUNT,
    movedWei: AMOUNT,
    receivedTokens: AMOUNT,
    sentTokens: AMOUNT,
    trade: { priceBeforeX96: AMOUNT, priceAfterX96: AMOUNT, poolFeeWei: AMOUNT },
  },
  terms: { minimumTokens: AMOUNT, expiresAt: Date, quotedTokens: AMOUNT, feeTier: Number, isRetry: Boolean },
  refundId: String,
  reversals: Number,
  createdAt: Date,
})
  // Reserves a nonce: two writers cannot both have it. Source: design § 5.
  .index({ chainId: 1, sender: 1, nonce: 1 }, { unique: true })
  .index({ jobId: 1, state: 1, nonce: -1 })
  .index({ jobId: 1, purpose: 1 })
  // Few transactions are unmined, and final ones are read newest first: neither index grows with every change of state.
  .index({ state: 1 }, { partialFilterExpression: { inclusion: null } })
  .index({ 'inclusion.blockNumber': -1 }, { partialFilterExpression: { state: 'final' } })
  // Covers the sum of a minute's gas over all orders: each tick that sends reads it.
  .index({ 'inclusion.blockAt': -1, 'inclusion.gasUsed': 1 });

/** Unmined transactions of all wallets, by the index for them. */
const UNCONFIRMED = { state: { $in: [...UNCONFIRMED_STATES] }, inclusion: null };

/** Signed transactions in MongoDB. A row exists before its bytes leave the process, and is never removed. */
export class TransactionsRepository {
  private readonly transactions: EntityCollection<TransactionRecord>;

  constructor(connection: Connection) {
    this.transactions = new EntityCollection(connection, schema);
  }

  /** @throws MongoDB's duplicate key error if an id or a nonce is taken */
  async insert(transactions: readonly TransactionRecord[], session: ClientSession): Promise<void> {
    await this.transactions.insert(transactions, session);
  }

  /** Transactions of a job that are not final, by nonce. */
  async open(jobId: string): Promise<readonly TransactionRecord[]> {
    return this.transactions.list({ jobId, state: { $in: [...OPEN_STATES] } }, { sort: { nonce: 1 } });
  }

  /** Transactions of a job for some purposes, by nonce. @param refundId only those that send this refund */
  async ofPurposes(
    jobId: string,
    purposes: readonly TransactionPurpose[],
    refundId?: string,
  ): Promise<readonly TransactionRecord[]> {
    const filter = { jobId, purpose: { $in: [...purposes] }, ...(refundId !== undefined && { refundId }) };
    return this.transactions.list(filter, { sort: { nonce: 1 } });
  }

  /** The newest transactions of a job for some purposes, by nonce, and the number of all. */
  async newest(
    jobId: string,
    purposes: readonly TransactionPurpose[],
    most: number,
  ): Promise<{ readonly transactions: readonly TransactionRecord[]; readonly inAll: number }> {
    const filter = { jobId, purpose: { $in: [...purposes] } };
    const [newest, inAll] = await Promise.all([
      this.transactions.list(filter, { sort: { nonce: -1 }, limit: most }),
      this.transactions.rows.countDocuments(filter),
    ]);
    return { transactions: newest.toReversed(), inAll };
  }

  /** Final transactions, from the newest block down; of one job, or of all. */
  finalFromNewest(jobId?: string): AsyncGenerator<TransactionRecord> {
    if (jobId !== undefined) return this.transactions.each({ jobId, state: 'final' }, { nonce: -1 });
    return this.transactions.each({ state: 'final' }, { 'inclusion.blockNumber': -1 });
  }

  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, TransactionRecord>> {
    const found = await this.transactions.list({ _id: { $in: [...ids] } });
    return new Map(found.map((transaction) => [transaction.id, transaction]));
  }

  /**
   * Stages that add the gas of all wallets' transactions to an aggregation, as rows with a `sum`: first the gas limits of unmined ones,
   * then the gas used in blocks after a chain time. A transaction mined between the two reads counts twice and is never left out.
   */
  gasSince(chainTime: Date): PipelineStage.UnionWith[] {
    const coll = this.transactions.rows.collection.collectionName;
    const unconfirmed = sumOf(UNCONFIRMED, '$gasLimit');
    const mined = sumOf({ 'inclusion.blockAt': { $gt: chainTime } }, '$inclusion.gasUsed');
    return [{ $unionWith: { coll, pipeline: unconfirmed } }, { $unionWith: { coll, pipeline: mined } }];
  }

  /** How many nonces were ever reserved for a wallet. */
  async countOf(chainId: number, sender: Address): Promise<number> {
    return this.transactions.rows.countDocuments({ chainId, sender });
  }

  /** The highest nonce ever reserved for a wallet; undefined before its first transaction. */
  async highestNonce(chainId: number, sender: Address): Promise<number | undefined> {
    const [highest] = await this.transactions.list({ chainId, sender }, { sort: { nonce: -1 }, limit: 1 });
    return highest?.nonce;
  }

  /** Nonces of each wallet with unmined transactions. */
  async nonces(): Promise<readonly WalletNonces[]> {
    const wallets = await this.transactions.rows.aggregate<{
      _id: { chainId: number; sender: Address };
      nonces: number[];
      oldestSignedAt: Date;
    }>([
      { $match: UNCONFIRMED },
      {
        $group: {
          _id: { chainId: '$chainId', sender: '$sender' },
          nonces: { $push: '$nonce' },
          oldestSignedAt: { $min: '$createdAt' },
        },
      },
    ]);
    return Promise.all(
      wallets.map(async ({ _id, nonces, oldestSignedAt }) => {
        const used = { ..._id, state: { $in: ['mined', 'final'] } };
        const [highest] = await this.transactions.list(used, { sort: { nonce: -1 }, limit: 1 });
        return { sender: _id.sender, unconfirmed: nonces, highestUsed: highest?.nonce, oldestSignedAt };
      }),
    );
  }

  /** Moves transactions to a state. @throws IllegalTransitionError if one may not enter it */
  async enter(ids: readonly string[], state: TransactionState, session: ClientSession): Promise<void> {
    const matched = await this.transactions.update(
      { _id: { $in: [...ids] }, state: { $in: [...ENTERED_FROM[state]] } },
      // A transaction that lost its block has no inclusion.
      { $set: state === 'broadcast' ? { state, inclusion: null } : { state } },
      session,
    );
    if (matched !== ids.length) throw new IllegalTransitionError(ids, state);
  }

  /** Notes that a node accepted signed transactions; those in a later state stay as they are. */
  async markBroadcast(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.transactions.update({ _id: { $in: [...ids] }, state: 'signed' }, { $set: { state: 'broadcast' } });
  }

  /** Reopens final transactions whose block left the chain. @throws IllegalTransitionError */
  async reopen(ids: readonly string[], session: ClientSession): Promise<void> {
    const matched = await this.transactions.update(
      { _id: { $in: [...ids] }, state: 'final' },
      { $set: { state: 'broadcast', inclusion: null }, $inc: { reversals: 1 } },
      session,
    );
    if (matched !== ids.length) throw new IllegalTransitionError(ids, 'broadcast');
  }

  /** Records in which block each transaction is. One request. @throws IllegalTransitionError */
  async include(found: readonly FinalTransaction[], state: 'mined' | 'final', session: ClientSession): Promise<void> {
    const { matchedCount } = await this.transactions.rows.collection.bulkWrite(
      found.map(({ transaction: { id }, inclusion }) => ({
        updateOne: {
          filter: { _id: id as never, state: { $in: [...ENTERED_FROM.mined] } },
          update: { $set: schema.stored({ state, inclusion }) },
        },
      })),
      { session, ignoreUndefined: true },
    );
    const ids = found.map(({ transaction }) => transaction.id);
    if (matchedCount !== ids.length) throw new IllegalTransitionError(ids, 'mined');
  }

  /** Adds bytes with a higher fee at the same nonce. @throws IllegalTransitionError if it is mined */
  async addAttempt(id: string, attempt: Attempt, session: ClientSession): Promise<void> {
    const matched = await this.transactions.update(
      { _id: id, state: { $in: [...UNCONFIRMED_STATES] } },
      { $push: schema.stored({ attempts: attempt }) },
      session,
    );
    if (matched === 0) throw new IllegalTransitionError([id], 'signed');
  }
}

function sumOf(filter: Record<string, unknown>, field: string): [PipelineStage.Match, PipelineStage.Group] {
  return [{ $match: filter }, { $group: { _id: null, sum: { $sum: field } } }];
}
