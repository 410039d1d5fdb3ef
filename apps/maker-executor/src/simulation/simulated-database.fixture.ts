import {
  type Attempt,
  addEntries,
  EMPTY_TOTALS,
  ENTERED_FROM,
  type Execution,
  type ExecutionChange,
  type Fact,
  type FactKind,
  type FinalTransaction,
  isUnexplained,
  type LedgerEntry,
  OPEN_STATES,
  type OperatorPause,
  type Order,
  type Refund,
  type RefundState,
  StaleExecutionError,
  sumRefunds,
  type TransactionPurpose,
  type TransactionRecord,
  type TransactionState,
} from '@maker/execution-records';
import { LeaseLostError } from '@maker/persistence';

/** The rows of one job behind the interface of `MakerDatabase`. A transaction that fails changes nothing. */
export class SimulatedDatabase {
  private rows: Rows;
  /** Number of the next transactions whose commit fails. */
  failures = 0;
  /** Whether a failed commit has happened and only its answer is lost. */
  losesAnswer = false;
  private versions = 0;

  constructor(execution: Execution, entries: readonly LedgerEntry[]) {
    this.rows = {
      execution,
      entries,
      transactions: [],
      orders: [],
      refunds: [],
      facts: [],
      events: [],
      tokenOfLease: 0,
    };
  }

  get all(): Rows {
    return this.rows;
  }

  readonly connection = {
    startSession: async () => ({
      withTransaction: async <Result>(write: () => Promise<Result>): Promise<Result> => {
        const before = this.rows;
        try {
          const result = await write();
          if (this.failures > 0) {
            this.failures -= 1;
            if (!this.losesAnswer) this.rows = before;
            throw new Error('the database does not answer');
          }
          return result;
        } catch (error) {
          if (!(this.losesAnswer && (error as Error).message === 'the database does not answer')) this.rows = before;
          throw error;
        }
      },
      endSession: async () => undefined,
    }),
    emit: () => true,
  };

  readonly leases = {
    assertHeld: async ({ token }: { token: number }) => {
      if (token !== this.rows.tokenOfLease) throw new LeaseLostError('wallet');
    },
  };

  readonly executions = {
    find: async () => this.rows.execution,
    change: async (before: Execution, change: ExecutionChange): Promise<Execution> => {
      if (before.revision !== this.rows.execution.revision) throw new StaleExecutionError(before.id);
      const execution = { ...this.rows.execution, ...change, revision: before.revision + 1 };
      this.set({ execution });
      return execution;
    },
  };

  readonly transactions = {
    open: async () => this.rows.transactions.filter(({ state }) => OPEN_STATES.includes(state)),
    highestNonce: async () => this.rows.transactions.at(-1)?.nonce,
    ofPurposes: async (_job: string, purposes: readonly TransactionPurpose[], refundId?: string) =>
      this.rows.transactions.filter(
        (one) => purposes.includes(one.purpose) && (refundId === undefined || one.refundId === refundId),
      ),
    finalFromNewest: () => fromNewest(this.rows.transactions.filter(({ state }) => state === 'final')),
    insert: async (records: readonly TransactionRecord[]) => {
      for (const { id, nonce } of records) {
        const taken = this.rows.transactions.some((one) => one.id === id || one.nonce === nonce);
        if (taken) throw new Error(`duplicate key: ${id} at nonce ${nonce}`);
      }
      this.set({ transactions: [...this.rows.transactions, ...records] });
    },
    include: async (found: readonly FinalTransaction[], state: 'mined' | 'final') => {
      for (const { transaction, inclusion } of found)
        this.move([transaction.id], ENTERED_FROM.mined, { state, inclusion });
    },
    enter: async (ids: readonly string[], state: TransactionState) =>
      this.move(ids, ENTERED_FROM[state], state === 'broadcast' ? { state, inclusion: null } : { state }),
    reopen: async (ids: readonly string[]) =>
      this.move(ids, ['final'], { state: 'broadcast', inclusion: null }, (one) => ({ reversals: one.reversals + 1 })),
    markBroadcast: async (ids: readonly string[]) => {
      const after = (one: TransactionRecord): TransactionRecord =>
        ids.includes(one.id) && one.state === 'signed' ? { ...one, state: 'broadcast' } : one;
      this.set({ transactions: this.rows.transactions.map(after) });
    },
    addAttempt: async (id: string, attempt: Attempt) =>
      this.move([id], ['signed', 'broadcast'], {}, (one) => ({ attempts: [...one.attempts, attempt] })),
  };

  readonly ledger = {
    append: async (entries: readonly LedgerEntry[]) => {
      for (const { id } of entries)
        if (this.rows.entries.some((one) => one.id === id)) throw new Error(`duplicate key: ${id}`);
      this.set({ entries: [...this.rows.entries, ...entries] });
    },
    sum: async () => addEntries(EMPTY_TOTALS, this.rows.entries),
  };

  readonly orders = {
    insert: async (orders: readonly Order[]) => this.set({ orders: [...this.rows.orders, ...orders] }),
    numbered: async (_job: string, numbers: readonly number[]) =>
      this.rows.orders.filter(({ number }) => numbers.includes(number)),
  };

  readonly refunds = {
    find: async (id: string) => this.rows.refunds.find((one) => one.id === id),
    ofJob: async (_job: string, states: readonly RefundState[], most = 0) => {
      const some = this.rows.refunds.filter(({ state }) => states.includes(state));
      return most > 0 ? some.slice(0, most) : some;
    },
    sums: async (_job: string, exceptDueTo: string | null) =>
      sumRefunds(
        this.rows.refunds.filter(({ state, to }) => exceptDueTo === null || state !== 'due' || to !== exceptDueTo),
      ),
    unexplainedReturns: async (_job: string, to: string) =>
      this.rows.refunds.filter((one) => one.state === 'returned' && one.to === to && isUnexplained(one)).length,
    insert: async (refund: Refund) => this.set({ refunds: [...this.rows.refunds, refund] }),
    enter: async (some: readonly Refund[], state: RefundState, _session: unknown, change: Partial<Refund> = {}) => {
      for (const { id, state: before } of some) {
        const stored = this.rows.refunds.find((one) => one.id === id);
        if (stored?.state !== before) throw new Error(`the refund ${id} is no longer ${before}`);
      }
      const ids = some.map(({ id }) => id);
      const after = (one: Refund) => (ids.includes(one.id) ? { ...one, ...change, state } : one);
      this.set({ refunds: this.rows.refunds.map(after) });
    },
  };

  readonly pauses = {
    begin: async () => undefined,
    end: async () => undefined,
    newest: async () => ({ pauses: [], inAll: 0 }),
  };

  readonly facts = {
    record: async (jobId: string, kind: FactKind, _session?: unknown, pause?: OperatorPause) => {
      this.versions += 1;
      const fact: Fact = { jobId, kind, version: `${this.versions}`, ...(pause && { pause }) };
      this.set({ facts: [...this.rows.facts.filter((one) => one.kind !== kind), fact] });
    },
    clear: async (some: readonly Fact[]) => {
      const gone = (one: Fact) => some.some(({ kind, version }) => one.kind === kind && one.version === version);
      this.set({ facts: this.rows.facts.filter((one) => !gone(one)) });
    },
    resume: () => this.set({ facts: this.rows.facts.filter(({ kind }) => kind !== 'pause') }),
  };

  readonly outbox = {
    prepare: (contract: { readonly type: string }, { data }: { readonly data: object }) => ({
      type: contract.type,
      data,
    }),
    insert: async (events: Rows['events']) => this.set({ events: [...this.rows.events, ...events] }),
  };

  /** Another process takes the lease. @returns its fencing token */
  takeLease(): number {
    this.set({ tokenOfLease: this.rows.tokenOfLease + 1 });
    return this.rows.tokenOfLease;
  }

  private move(
    ids: readonly string[],
    from: readonly TransactionState[],
    change: Partial<TransactionRecord>,
    more: (one: TransactionRecord) => Partial<TransactionRecord> = () => ({}),
  ): void {
    for (const id of ids) {
      const stored = this.rows.transactions.find((one) => one.id === id);
      if (!stored || !from.includes(stored.state)) throw new Error(`${id} cannot leave '${stored?.state}' now`);
    }
    const after = (one: TransactionRecord) => (ids.includes(one.id) ? { ...one, ...change, ...more(one) } : one);
    this.set({ transactions: this.rows.transactions.map(after) });
  }

  private set(change: Partial<Rows>): void {
    this.rows = { ...this.rows, ...change };
  }
}

interface Rows {
  readonly execution: Execution;
  readonly entries: readonly LedgerEntry[];
  readonly transactions: readonly TransactionRecord[];
  readonly orders: readonly Order[];
  readonly refunds: readonly Refund[];
  readonly facts: readonly Fact[];
  readonly events: readonly { readonly type: string; readonly data: object }[];
  readonly tokenOfLease: number;
}

async function* fromNewest(transactions: readonly TransactionRecord[]) {
  yield* transactions.toReversed();
}
