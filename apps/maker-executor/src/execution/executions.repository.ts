import { AMOUNT, Connection, EntityCollection, type EntityFields, EntitySchema } from '@maker/persistence';
import { DEFAULT_PLAN_LIMITS, PRICE_SCALE, WEI_PER_HYPE } from '@maker/rules';
import { currentOrigin } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type ClientSession, Schema } from 'mongoose';
import type { Address } from 'viem';
import { EMPTY_TOTALS, LEDGER_KINDS, type LedgerTotals } from '../ledger/ledger-entry.ts';
import type { Attempts } from './attempts.ts';
import { ACTIVE_PHASES, type Execution, type ExecutionPhase } from './execution.ts';
import { derivedPlan, type ExecutionPlan } from './execution-plan.ts';
import { DUST } from './held-reason.ts';
import { UNTOUCHED } from './new-execution.ts';

/** What a writer may change; deposit and addresses are fixed when the execution begins, and of the plan all but a missing first price. */
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
    | 'operatorPause'
    | 'cancelled'
    | 'revision'
    | 'activatedAt'
    | 'createdAt'
  >
>;

/** Someone else wrote the execution since it was read: nothing was changed, the next tick begins anew. */
export class StaleExecutionError extends Error {
  readonly code = 'STALE_EXECUTION';

  constructor(jobId: string) {
    super(`The execution of ${jobId} changed since it was read`);
    this.name = 'StaleExecutionError';
  }
}

/** What an operator or another service may change without the wallet's lease: signals that the next tick heeds. */
export type ExecutionSignal = Partial<Pick<Execution, 'operatorPause' | 'cancelled' | 'attention' | 'recheck'>>;

/** Whose execution it is that has work to do, and in which wallet. */
export type ExecutionAtWork = Pick<Execution, 'id' | 'walletAddress'>;

/** What has work to do. */
const AT_WORK = { $or: [{ phase: { $in: [...ACTIVE_PHASES] } }, { attention: true }] };

/** Rows of an earlier version have a schedule and a first price instead of a plan. */
interface EarlierRow extends Omit<Execution, 'plan'> {
  readonly plan?: ExecutionPlan;
  readonly intervalMs?: number;
  readonly startPriceTokens?: bigint | null;
}

const attempts: EntityFields<Attempts> = {
  count: Number,
  sinceMs: Number,
  nextAtMs: Number,
  refusal: String,
  lastTransfer: { sentTokens: AMOUNT, deliveredTokens: AMOUNT },
};

// What atWork() answers with is in the indexes that begin so, and so are its conditions.
const told = { createdAt: 1, walletAddress: 1, _id: 1 } as const;

const schema = new EntitySchema<EarlierRow>('executions', {
  origin: Schema.Types.Mixed,
  phase: String,
  walletAddress: String,
  walletIndex: Number,
  tokenAddress: String,
  token: Schema.Types.Mixed,
  returnAddress: String,
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
  operatorPause: Schema.Types.Mixed,
  cancelled: Boolean,
  attention: Boolean,
  recheck: Boolean,
  refunding: { id: String, to: String, amountWei: AMOUNT, attempts },
  attempts,
  surplusAtBlock: Number,
  absorbedWei: AMOUNT,
  releasedAt: Date,
  gasFrom: String,
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
  arrivalPriceX96: AMOUNT,
  startPools: [{ exchange: String, samples: [{ inWei: AMOUNT, outTokens: AMOUNT }] }],
  ending: Schema.Types.Mixed,
  heldReason: String,
  revision: Number,
  activatedAt: Date,
  createdAt: Date,
  endedAt: Date,
  intervalMs: Number,
  startPriceTokens: AMOUNT,
})
  .index({ phase: 1, ...told })
  .index({ attention: 1, ...told })
  .index({ attention: 1, endedAt: 1 })
  // Two jobs on one wallet would mix their money.
  .index({ walletAddress: 1 }, { unique: true })
  .index({ heldReason: 1 }, { partialFilterExpression: { heldReason: { $type: 'string' } } });

/** Executions in Mongo, one per job. */
@Injectable()
export class ExecutionsRepository {
  private readonly executions: EntityCollection<EarlierRow>;

  constructor(connection: Connection) {
    this.executions = new EntityCollection(connection, schema);
  }

  /** Keeps the current origin with it. @throws the duplicate key error of Mongo where the job or its wallet has one */
  async insert(execution: Execution, session: ClientSession): Promise<void> {
    await this.executions.insert([{ ...execution, origin: currentOrigin() }], session);
  }

  async find(jobId: string, session?: ClientSession): Promise<Execution | undefined> {
    const [execution] = await this.executions.list({ _id: jobId }, session ? { session } : {});
    return execution && complete(execution);
  }

  /** Executions that have work to do, oldest first. Each is read whole: {@link atWork} is for what asks often. */
  async active(): Promise<readonly Execution[]> {
    return (await this.executions.list(AT_WORK, { sort: { createdAt: 1 } })).map(complete);
  }

  /** The same by job and wallet alone, from an index: every replica asks twice a second, however many there are. */
  async atWork(): Promise<readonly ExecutionAtWork[]> {
    const rows = await this.executions.rows
      .find(AT_WORK, told)
      .sort({ createdAt: 1 })
      .lean<{ _id: string; walletAddress: Address }[]>();
    return rows.map(({ _id, walletAddress }) => ({ id: _id, walletAddress }));
  }

  /** Executions at rest that ended after a time. */
  async endedSince(since: Date): Promise<readonly Execution[]> {
    const filter = {
      phase: { $nin: [...ACTIVE_PHASES, 'refused'] },
      attention: { $ne: true },
      endedAt: { $gte: since },
    };
    return (await this.executions.list(filter)).map(complete);
  }

  /** Wallets of ended jobs whose missing money was given up: what is signed there and in no block waits for it. */
  async walletsWithoutTheirMoney(): Promise<ReadonlySet<Address>> {
    const rows = await this.executions.rows
      .find({
        phase: { $nin: [...ACTIVE_PHASES] },
        attention: true,
        recheck: true,
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
   * Signals the one who runs an execution. A tick under way that does not know of it yet fails and is repeated.
   * @returns false where there is no such execution
   */
  async signal(jobId: string, signal: ExecutionSignal, session: ClientSession): Promise<boolean> {
    const matched = await this.executions.update(
      { _id: jobId },
      { $set: schema.stored(signal), $inc: { revision: 1 } },
      session,
    );
    return matched > 0;
  }

  /**
   * Writes a change to an execution as it was read.
   * @returns the execution after it @throws StaleExecutionError
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
   * What is held for an operator over all executions; wei rounded to a double. Dust is in the sum, but is nobody's work:
   * anyone can send it to a public address.
   */
  async held(): Promise<{ readonly executions: number; readonly wei: number }> {
    const [sum] = await this.executions.rows.aggregate<{ executions: number; wei: number }>([
      { $match: { heldReason: { $type: 'string' } } },
      {
        $group: {
          _id: null,
          executions: { $sum: { $cond: [{ $eq: ['$heldReason', DUST] }, 0, 1] } },
          wei: {
            $sum: {
              $subtract: [{ $toDouble: '$totals.heldWei' }, { $toDouble: { $ifNull: ['$totals.releasedWei', '0'] } }],
            },
          },
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

function complete(earlier: EarlierRow): Execution {
  const { intervalMs: _intervalMs, startPriceTokens: _startPriceTokens, ...row } = earlier;
  const plan = row.plan ?? planOfEarlier(earlier);
  return { ...UNTOUCHED, ...row, plan, totals: { ...EMPTY_TOTALS, ...row.totals } };
}

function planOfEarlier({
  orderBudgetWei,
  plannedOrders,
  createdAt,
  intervalMs = 0,
  startPriceTokens,
}: EarlierRow): ExecutionPlan {
  const limits = { ...DEFAULT_PLAN_LIMITS, windowMs: plannedOrders * intervalMs };
  const seenPriceX96 = startPriceTokens ? (WEI_PER_HYPE * PRICE_SCALE) / startPriceTokens : null;
  return { ...derivedPlan(orderBudgetWei, createdAt.getTime(), limits), seenPriceX96 };
}
