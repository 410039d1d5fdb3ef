import { AMOUNT, type Connection, EntityCollection, type EntityFields, EntitySchema } from '@maker/persistence';
import { currentOrigin } from '@maker/service-kit';
import { type ClientSession, Schema } from 'mongoose';
import type { Address } from 'viem';
import { LEDGER_KINDS, type LedgerTotals } from '../ledger/ledger-entry.ts';
import type { Attempts } from './attempts.ts';
import { ACTIVE_PHASES, type Execution, type ExecutionPhase } from './execution.ts';
import { DUST } from './held-reason.ts';

/** Fields that a write may change. Deposit and addresses are fixed at the start; of the plan only a missing first price may change. */
export type ExecutionChange = Partial<
  Omit<
    Execution,
    | 'id'
    | 'origin'
    | 'walletAddress'
    | 'walletIndex'
    | 'tokenAddress'
    | 'depositWei'
    | 'feeWei'
    | 'orderBudgetWei'
    | 'plannedOrders'
    | 'terms'
    | 'revision'
    | 'activatedAt'
    | 'createdAt'
  >
>;

/** Another writer changed the execution since it was read: nothing was written. */
export class StaleExecutionError extends Error {
  readonly code = 'STALE_EXECUTION';

  constructor(jobId: string) {
    super(`The execution of ${jobId} changed since it was read`);
    this.name = 'StaleExecutionError';
  }
}

/** Progress of an execution: a receipt made from its rows is valid until this changes. */
export type ExecutionProgress = Pick<Execution, 'phase' | 'revision' | 'ordersSigned' | 'endedAt'>;

/** An execution that has work to do, and its wallet. */
export type ExecutionAtWork = Pick<Execution, 'id' | 'walletAddress'>;

const attempts: EntityFields<Attempts> = {
  count: Number,
  sinceMs: Number,
  nextAtMs: Number,
  refusal: String,
  lastTransfer: { sentTokens: AMOUNT, deliveredTokens: AMOUNT },
};

// This index covers atWork(): its filter, its order and its fields.
const atWork = { createdAt: 1, walletAddress: 1, _id: 1 } as const;

const schema = new EntitySchema<Execution>('executions', {
  origin: Schema.Types.Mixed,
  phase: String,
  walletAddress: String,
  walletIndex: Number,
  tokenAddress: String,
  token: Schema.Types.Mixed,
  returnAddress: String,
  payerClaim: { payer: String, transfers: [{ transactionHash: String, amountWei: AMOUNT }], isProven: Boolean },
  terms: Schema.Types.Mixed,
  release: Schema.Types.Mixed,
  depositWei: AMOUNT,
  feeWei: AMOUNT,
  orderBudgetWei: AMOUNT,
  plannedOrders: Number,
  plan: {
    slotMs: Number,
    tradingEndsAt: Date,
    latestEndAt: Date,
    seenPriceX96: AMOUNT,
    slippageBps: Number,
    impactCapBps: Number,
    bandBps: Number,
    minuteGas: Number,
  },
  nextOrderAtMs: Number,
  paused: Schema.Types.Mixed,
  cancelled: Boolean,
  refunding: { id: String, to: String, amountWei: AMOUNT, attempts },
  attempts,
  surplusAtBlock: Number,
  absorbedWei: AMOUNT,
  releasedAt: Date,
  gasFrom: String,
  otherTokens: [String],
  driftWei: AMOUNT,
  totals: Object.fromEntries(LEDGER_KINDS.map((kind) => [`${kind}Wei`, AMOUNT])) as EntityFields<LedgerTotals>,
  ordersSigned: Number,
  ordersPlaced: Number,
  ordersFailed: Number,
  consecutiveFailures: Number,
  retries: [Number],
  shortDeliveries: Number,
  purchases: {
    tradedWei: AMOUNT,
    poolFeeWei: AMOUNT,
    boughtTokens: AMOUNT,
    quotedTokens: AMOUNT,
    impactWei: AMOUNT,
    movedX96: AMOUNT,
    heldMsX96: AMOUNT,
    firstAtMs: Number,
    lastAtMs: Number,
    lastPriceX96: AMOUNT,
  },
  confirmedPriceX96: AMOUNT,
  arrivalPriceX96: AMOUNT,
  startPools: [{ exchange: String, samples: [{ inWei: AMOUNT, outTokens: AMOUNT }] }],
  ending: Schema.Types.Mixed,
  graceEndsAtMs: Number,
  dustChecks: Schema.Types.Mixed,
  heldReason: String,
  revision: Number,
  activatedAt: Date,
  createdAt: Date,
  endedAt: Date,
})
  .index({ phase: 1, ...atWork })
  .index({ endedAt: 1 })
  // Two jobs on one wallet would mix their money.
  .index({ walletAddress: 1 }, { unique: true })
  .index({ heldReason: 1 }, { partialFilterExpression: { heldReason: { $type: 'string' } } });

/** Executions in MongoDB, one per job. */
export class ExecutionsRepository {
  private readonly executions: EntityCollection<Execution>;

  /** @param onInserted called with each transaction that inserts an execution */
  constructor(
    connection: Connection,
    private readonly onInserted: (session: ClientSession) => void = () => undefined,
  ) {
    this.executions = new EntityCollection(connection, schema);
  }

  /** Stores the execution with the current origin. @throws MongoDB's duplicate key error if the job or its wallet has one */
  async insert(execution: Execution, session: ClientSession): Promise<void> {
    await this.executions.insert([{ ...execution, origin: currentOrigin() }], session);
    this.onInserted(session);
  }

  async find(jobId: string, session?: ClientSession): Promise<Execution | undefined> {
    const [execution] = await this.executions.list({ _id: jobId }, session ? { session } : {});
    return execution;
  }

  /** Progress of a job's execution, without the rest of its row. */
  async progress(jobId: string): Promise<ExecutionProgress | undefined> {
    const fields = { phase: 1, revision: 1, ordersSigned: 1, endedAt: 1, _id: 0 };
    return (await this.executions.rows.findById(jobId, fields).lean<ExecutionProgress>()) ?? undefined;
  }

  /** Executions in an active phase, oldest first. Reads whole rows; use {@link atWork} for frequent queries. */
  async active(): Promise<readonly Execution[]> {
    return this.executions.list({ phase: { $in: [...ACTIVE_PHASES] } }, { sort: { createdAt: 1 } });
  }

  /**
   * Executions in an active phase, and those with facts to handle, each part oldest first. Reads the first part from an index alone.
   * @param withFacts ids of jobs; see `FactsRepository.jobsAtWork`
   */
  async atWork(withFacts: readonly string[]): Promise<readonly ExecutionAtWork[]> {
    const named = await this.named({ phase: { $in: [...ACTIVE_PHASES] } });
    const known = new Set(named.map(({ id }) => id));
    const others = withFacts.filter((id) => !known.has(id));
    return others.length === 0 ? named : [...named, ...(await this.named({ _id: { $in: others } }))];
  }

  private async named(filter: object): Promise<readonly ExecutionAtWork[]> {
    const rows = await this.executions.rows
      .find(filter, atWork)
      .sort({ createdAt: 1 })
      .lean<{ _id: string; walletAddress: Address }[]>();
    return rows.map(({ _id, walletAddress }) => ({ id: _id, walletAddress }));
  }

  /** Executions that ended after a time. */
  async endedSince(since: Date): Promise<readonly Execution[]> {
    return this.executions.list({ phase: { $nin: [...ACTIVE_PHASES, 'refused'] }, endedAt: { $gte: since } });
  }

  /**
   * Wallets of ended jobs whose missing money was written off.
   * @param rechecked ids of jobs whose signed transactions wait for that money
   */
  async walletsWithLoss(rechecked: readonly string[]): Promise<ReadonlySet<Address>> {
    const rows = await this.executions.rows
      .find({
        _id: { $in: [...rechecked] },
        phase: { $nin: [...ACTIVE_PHASES] },
        'totals.missingWei': { $nin: ['0', null] },
      })
      .lean<{ walletAddress: Address }[]>();
    return new Set(rows.map(({ walletAddress }) => walletAddress));
  }

  /** Whether an address is the wallet of one of the jobs. */
  async isWallet(address: string): Promise<boolean> {
    return (await this.executions.rows.countDocuments({ walletAddress: address }).limit(1)) > 0;
  }

  /**
   * Writes a change to an execution, if its revision is still the one that was read.
   * @returns the changed execution @throws StaleExecutionError
   */
  async change(execution: Execution, change: ExecutionChange, session: ClientSession): Promise<Execution> {
    const revision = execution.revision + 1;
    const matched = await this.executions.update(
      { _id: execution.id, revision: execution.revision },
      { $set: { ...schema.stored(change), revision } },
      session,
    );
    if (matched === 0) throw new StaleExecutionError(execution.id);
    return { ...execution, ...change, revision };
  }

  /**
   * Money held for an operator over all executions; `wei` is rounded to a double. The sum includes dust, the count does not:
   * anyone can send dust to a public address.
   */
  async held(): Promise<{ readonly executions: number; readonly wei: number }> {
    const [sum] = await this.executions.rows.aggregate<{ executions: number; wei: number }>([
      { $match: { heldReason: { $type: 'string' } } },
      {
        $group: {
          _id: null,
          executions: { $sum: { $cond: [{ $eq: ['$heldReason', DUST] }, 0, 1] } },
          wei: { $sum: { $subtract: [{ $toDouble: '$totals.heldWei' }, { $toDouble: '$totals.releasedWei' }] } },
        },
      },
    ]);
    return { executions: sum?.executions ?? 0, wei: sum?.wei ?? 0 };
  }

  async count(): Promise<ReadonlyMap<ExecutionPhase, number>> {
    const groups = await this.executions.rows.aggregate<{ _id: ExecutionPhase; count: number }>([
      { $group: { _id: '$phase', count: { $sum: 1 } } },
    ]);
    return new Map(groups.map(({ _id, count }) => [_id, count]));
  }
}
