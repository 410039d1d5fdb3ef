import type { BlockHead } from '@maker/chain';
import {
  type Attempt,
  type Execution,
  expectedBalance,
  isActivePhase,
  type PlannedTransaction,
  type Refund,
  startExecution,
  type TransactionRecord,
} from '@maker/execution-records';
import { pino } from 'pino';
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex, toHex, zeroAddress } from 'viem';
import type { MakerMetrics } from '../metrics/maker.metrics.ts';
import { Apply } from '../runner/apply.ts';
import { type RunnerEnd, SessionRunner } from '../runner/session-runner.ts';
import type { TickSources } from '../runner/tick-sources.ts';
import { assertMaySign } from '../wallet/policy.ts';
import type { Replacement } from '../wallet/replacement.ts';
import {
  type Circumstances,
  PAYER,
  ROUTER,
  SimulatedChain,
  TOKEN,
  TREASURY,
  WALLET,
} from './simulated-chain.fixture.ts';
import { SimulatedDatabase } from './simulated-database.fixture.ts';

const JOB = 'job_0123456789abcdef0123456789abcdef';
/** Pays for thirty orders. */
const DEPOSIT = 160_000_000_000_000_000n;
const SLOT_MS = 5000;
/** Chain time from the deposit to the latest end, s. */
export const LASTS_SECONDS = 900;
const GRACE_SECONDS = 1800;
const CONFIRMATIONS = 1;

/** What the endpoint, the database and a dying process are made to say. */
const EXPECTED_FAULTS: readonly string[] = [
  'the endpoint does not answer',
  'the database does not answer',
  'the process died here',
];

/** Calldata of a buy up to its amount. */
const BUY_OF = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transferFrom',
  args: [WALLET, TOKEN, 0n],
}).slice(0, -64) as Hex;

const STRANGERS: readonly Address[] = [
  '0x7000000000000000000000000000000000000007',
  '0x8000000000000000000000000000000000000008',
];

/** What happens next in a history. */
export type Happening =
  | { readonly kind: 'blocks'; readonly count: number; readonly seconds: number }
  /** A block that no process of ours sees. */
  | { readonly kind: 'unseen' }
  | { readonly kind: 'reorganise'; readonly depth: number }
  | { readonly kind: 'deposit'; readonly from: 0 | 1; readonly isDust: boolean; readonly isKnown: boolean }
  | { readonly kind: 'cancel' | 'pause' | 'resume' | 'handOver' | 'restart' | 'dieBeforeSending' | 'loseAnswer' }
  | { readonly kind: 'databaseFails' | 'readsFail'; readonly times: number }
  | { readonly kind: 'circumstance'; readonly change: Partial<Circumstances> };

/** A law that a history broke. */
class BrokenLaw extends Error {}

const demand = (holds: boolean, law: string) => {
  if (!holds) throw new BrokenLaw(law);
};

/** What a lease guards of transactions. That saved bytes were sent again needs none: it is written for readers alone. */
const stepsOf = (transactions: readonly TransactionRecord[]) =>
  transactions
    .map(({ id, state, attempts }) => `${id} ${attempts.length} ${state === 'signed' ? 'broadcast' : state}`)
    .join();

/** One job, its wallet on a simulated chain, and the processes that work on it one after the other. */
export class SimulatedWorld {
  readonly chain = new SimulatedChain(DEPOSIT);
  readonly database: SimulatedDatabase;
  private runner: SessionRunner | undefined;
  private dies = false;
  private refunds = 0;
  private readonly latestEndMs: number;
  /** Chain time at which a process first worked on the job after its latest end, ms. */
  private firstLateTickMs: number | undefined;
  private nowMs = 0;
  private hashes = 0;
  private readonly faults: string[] = [];
  private faultCount = 0;
  /** The process that worked on the job before its latest end, last. */
  private inTime: SessionRunner | undefined;

  constructor() {
    const { timestampMs } = this.chain.head;
    this.latestEndMs = timestampMs + LASTS_SECONDS * 1000;
    const { execution, entries } = startExecution(
      {
        jobId: JOB,
        tokenAddress: TOKEN,
        walletAddress: WALLET,
        walletIndex: 0,
        depositWei: DEPOSIT,
        returnAddress: PAYER,
        activatedAt: new Date(timestampMs),
        plan: {
          slotMs: SLOT_MS,
          tradingEndsAt: new Date(timestampMs + (LASTS_SECONDS / 2) * 1000),
          latestEndAt: new Date(this.latestEndMs),
          seenPriceX96: null,
          slippageBps: 100,
          impactCapBps: 50,
          bandBps: 1000,
        },
      },
      WALLET,
      new Date(timestampMs),
    );
    this.database = new SimulatedDatabase(execution, entries);
  }

  async happens(happening: Happening): Promise<void> {
    switch (happening.kind) {
      case 'blocks':
        for (let count = 0; count < happening.count; count += 1) await this.block(happening.seconds);
        return;
      case 'unseen':
        return this.chain.mine(1);
      case 'reorganise':
        return this.reorganise(happening.depth);
      case 'deposit':
        return this.deposit(happening.from, happening.isDust, happening.isKnown);
      case 'cancel':
      case 'pause':
        return this.database.facts.tell(JOB, happening.kind, undefined, { by: 'ops', since: new Date(0) });
      case 'resume':
        return this.database.facts.resume();
      case 'restart':
        this.runner = undefined;
        return;
      case 'handOver':
        this.database.takeLease();
        return;
      case 'dieBeforeSending':
        this.dies = true;
        return;
      case 'loseAnswer':
        this.database.failures = 1;
        this.database.losesAnswer = true;
        return;
      case 'databaseFails':
        this.database.failures = happening.times;
        this.database.losesAnswer = false;
        return;
      case 'readsFail':
        this.chain.circumstances.failures = happening.times;
        return;
      case 'circumstance':
        Object.assign(this.chain.circumstances, happening.change);
    }
  }

  /** Lets everything go well, and time pass until all is settled. */
  async settle(): Promise<void> {
    this.database.failures = 0;
    this.database.facts.resume();
    Object.assign(this.chain.circumstances, {
      isFull: false,
      lags: false,
      failures: 0,
      baseFeeWei: 100_000_000n,
      market: 'calm',
      ordersRevert: false,
    });
    for (let count = 0; count < 40; count += 1) await this.block(5);
    // Nothing moves the latest end: not one block is needed for it but its own.
    while (isActivePhase(this.phase) && this.chain.head.timestampMs <= this.latestEndMs + GRACE_SECONDS * 2000)
      await this.block(20);
    for (let count = 0; count < 60; count += 1) await this.block(60);
  }

  /** What must hold when all is settled. */
  expectSettled(): void {
    const { execution, refunds, transactions, events, facts } = this.database.all;
    demand(!isActivePhase(execution.phase), `the job ends: it is in '${execution.phase}'`);
    demand(
      events.filter(({ type }) => /^execution\.(completed|failed)$/.test(type)).length === 1,
      'its end is told once',
    );
    demand(
      transactions.every(({ state }) => state === 'final'),
      'every transaction is final',
    );
    demand(execution.driftWei === 0n, `ledger and chain agree: ${execution.driftWei}`);
    demand(
      expectedBalance(execution.totals) === this.chain.balance(),
      `the ledger explains the wallet: ${expectedBalance(execution.totals)} of ${this.chain.balance()}`,
    );
    demand(
      refunds.every(({ state }) => state !== 'due'),
      'no refund stays due',
    );
    demand(facts.length === 0, `every fact is handled: ${facts.map(({ kind }) => kind).join()}`);
    this.expectSums();
  }

  /** What must hold at any time. */
  private expectLaws(): void {
    const { execution, transactions } = this.database.all;
    const { timestampMs } = this.chain.head;
    const nonces = transactions.map(({ nonce }) => nonce);
    demand(new Set(nonces).size === nonces.length, 'no two transactions have one nonce');
    demand(
      nonces.every((nonce, index) => nonce === index),
      'no nonce is left out',
    );
    const saved = new Set(transactions.flatMap(({ attempts }) => attempts.map(({ hash }) => hash)));
    demand(
      this.chain.all().every(({ hash }) => saved.has(hash)),
      'only saved bytes are sent',
    );
    if (this.firstLateTickMs !== undefined && isActivePhase(execution.phase) && execution.releasedAt === null)
      demand(timestampMs < this.firstLateTickMs + GRACE_SECONDS * 1000 + 60_000, 'the job ends within its grace');
    demand(this.faults.length === 0, `no tick fails by itself: ${this.faults.join('; ')}`);
    this.expectSums();
  }

  private expectSums(): void {
    const { execution, refunds } = this.database.all;
    const { feeWei, orderBudgetWei, totals } = execution;
    demand(this.chain.received(TREASURY, 'fee') <= feeWei, 'the fee is taken once');
    demand(this.chain.received(ROUTER, 'order') <= orderBudgetWei, 'orders spend no more than their budget');
    for (const stranger of STRANGERS) {
      const mine = refunds.filter(({ to }) => to === stranger).reduce((sum, { amountWei }) => sum + amountWei, 0n);
      demand(this.chain.received(stranger, 'refund') <= mine, 'a refund is paid once');
    }
    demand(totals.missingWei === 0n, 'nothing is written off');
  }

  private get phase() {
    return this.database.all.execution.phase;
  }

  private async block(seconds: number): Promise<void> {
    this.chain.mine(seconds);
    this.nowMs += seconds * 1000;
    await this.tick();
    this.expectLaws();
  }

  private async tick(): Promise<void> {
    const { head } = this.chain;
    if (head.timestampMs >= this.latestEndMs) this.firstLateTickMs ??= head.timestampMs;
    const { facts } = this.database.all;
    const isAtWork = isActivePhase(this.phase) || facts.some(({ kind }) => kind !== 'pause');
    this.nowMs += 1;
    if (!isAtWork && !this.runner) return this.checkEnded();
    this.runner ??= this.newRunner();
    const { runner } = this;
    const before = this.database.all;
    const faultsBefore = this.faultCount;
    const isLateFor = runner === this.inTime && head.timestampMs >= this.latestEndMs;
    const isFenced = runner.lease.token !== before.tokenOfLease;
    runner.onHead(head, Promise.resolve(facts));
    await runner.idle();
    // A reorganisation may take chain time back to before the latest end: who began after it keeps the grace.
    const isInTime = head.timestampMs < this.latestEndMs && this.firstLateTickMs === undefined;
    if (isInTime && this.faultCount === faultsBefore) this.inTime = runner;
    const { execution, transactions } = this.database.all;
    const isUnchanged = execution === before.execution && stepsOf(transactions) === stepsOf(before.transactions);
    demand(!isFenced || isUnchanged, 'nothing is decided or signed without the lease');
    const isStopped = before.execution.driftWei !== 0n || facts.some(({ kind }) => kind === 'recheck');
    const mayWait = isFenced || isStopped || execution.driftWei !== 0n || this.faultCount > faultsBefore;
    demand(!isLateFor || mayWait || !isActivePhase(execution.phase), 'the job ends by its latest end');
  }

  /** What `EndedWalletsCheck` does. */
  private async checkEnded(): Promise<void> {
    const { execution } = this.database.all;
    if (expectedBalance(execution.totals) !== this.chain.balance()) await this.database.facts.tell(JOB, 'settle');
  }

  private reorganise(depth: number): Promise<void> | void {
    this.chain.reorganise(depth);
    this.chain.mine(1);
    const gone = this.database.all.transactions.some(
      ({ state, inclusion }) =>
        state === 'final' && inclusion && this.chain.hashAt(inclusion.blockNumber) !== inclusion.blockHash,
    );
    if (!gone) return;
    return this.database.facts.tell(JOB, 'recheck').then(() => this.database.facts.tell(JOB, 'settle'));
  }

  private async deposit(from: 0 | 1, isDust: boolean, isKnown: boolean): Promise<void> {
    const to = STRANGERS[from] ?? zeroAddress;
    const amountWei = isDust ? 1n : 5_000_000_000_000_000n;
    this.chain.pay(to, amountWei);
    if (!isKnown) return;
    this.refunds += 1;
    const refund: Refund = {
      id: `refund-${this.refunds}`,
      jobId: JOB,
      depositIds: [`deposit-${this.refunds}`],
      amountWei,
      to,
      holdReason: null,
      blockNumber: this.chain.height + 1,
      state: 'due',
      recordedAt: new Date(this.nowMs),
    };
    await this.database.refunds.insert(refund);
    await this.database.facts.tell(JOB, 'settle');
  }

  private newRunner(): SessionRunner {
    const lease = { name: 'wallet', owner: 'we', token: this.database.takeLease() };
    const logger = pino({ level: 'error' }, { write: (line: string) => this.noteFault(JSON.parse(line)) });
    const fault = () => {
      this.faultCount += 1;
    };
    const metrics = new Proxy({}, { get: (_, name) => (name === 'fault' ? fault : () => undefined) }) as MakerMetrics;
    const apply = new Apply(
      this.database as never,
      this.database.leases as never,
      this.database.outbox as never,
      this.signer() as never,
      { broadcast: (some: readonly TransactionRecord[]) => this.broadcast(some) } as never,
      { add: (ids: readonly string[]) => void this.database.transactions.markBroadcast(ids) } as never,
    );
    const parts = { sources: this.sources() as unknown as TickSources, apply, metrics, logger };
    const runner: SessionRunner = new SessionRunner(lease, { id: JOB }, parts, (_end: RunnerEnd) => {
      if (this.runner === runner) this.runner = undefined;
    });
    return runner;
  }

  private noteFault({ err }: { err?: { message: string } }): void {
    if (err && !EXPECTED_FAULTS.includes(err.message)) this.faults.push(err.message);
  }

  private async broadcast(transactions: readonly TransactionRecord[]) {
    if (this.dies) {
      this.dies = false;
      this.runner = undefined;
      throw new Error('the process died here');
    }
    return transactions.map((transaction) => this.chain.take(transaction));
  }

  private signer() {
    const limits = { chainId: 1, treasury: TREASURY, routers: [ROUTER] };
    const attempt = (
      execution: Execution,
      plan: PlannedTransaction & Pick<Attempt, 'isVoid'>,
      nonce: number,
      replaces?: TransactionRecord,
    ): Attempt => {
      const { purpose, to, data, valueWei, gasLimit, maxFeePerGasWei, maxPriorityFeePerGasWei, isVoid } = plan;
      const gas = BigInt(gasLimit);
      const unsigned = { chainId: 1, nonce, to, data, valueWei, gas, maxFeePerGasWei, maxPriorityFeePerGasWei };
      assertMaySign(purpose, unsigned, execution, WALLET, limits, replaces);
      this.hashes += 1;
      const hash = toHex(this.hashes);
      const bytes = { hash, rawTransaction: hash, valueWei, maxFeePerGasWei, maxPriorityFeePerGasWei };
      return isVoid ? { ...bytes, isVoid } : bytes;
    };
    return {
      chainId: 1,
      sign: async (execution: Execution, plan: PlannedTransaction, nonce: number): Promise<TransactionRecord> => ({
        ...plan,
        jobId: JOB,
        state: 'signed',
        chainId: 1,
        sender: WALLET,
        nonce,
        attempts: [attempt(execution, plan, nonce)],
        inclusion: null,
        reversals: 0,
        createdAt: new Date(this.nowMs),
      }),
      signReplacement: async (execution: Execution, transaction: TransactionRecord, replacement: Replacement) => {
        const nothing = { to: WALLET, data: '0x' as const, gasLimit: 21_000 };
        const plan = { ...transaction, ...(replacement.isVoid ? nothing : {}), ...replacement };
        return attempt(execution, plan, transaction.nonce, transaction);
      },
    };
  }

  private sources() {
    const { chain } = this;
    const { circumstances } = chain;
    const answers = <Arguments extends unknown[], Result>(read: (...arguments_: Arguments) => Result) => {
      return async (...arguments_: Arguments): Promise<Result> => {
        if (circumstances.failures > 0) {
          circumstances.failures -= 1;
          throw new Error('the endpoint does not answer');
        }
        return read(...arguments_);
      };
    };
    return {
      database: this.database,
      feed: {
        now: () => this.nowMs,
        get head(): BlockHead {
          return chain.head;
        },
      },
      chain: {
        network: { chainId: 1 },
        client: {
          chain: {},
          call: answers(() => ({ data: undefined })),
          getCode: answers(() => undefined),
          estimateGas: answers(({ to, data }: { to: Address; data?: `0x${string}` }) => chain.estimate(to, data)),
        },
        market: {
          samples: answers((_token: Address, amounts: readonly bigint[]) => chain.samples(amounts)),
          states: answers(() => []),
        },
        reading: answers((_wallet: Address, notBefore: number) => {
          const blockNumber = circumstances.lags ? chain.height - 1 : chain.height;
          return blockNumber < notBefore ? undefined : { balanceWei: chain.balance(), blockNumber };
        }),
        usedNonces: answers(() => chain.usedNonces),
        blockHash: answers((height: number) => chain.hashAt(height)),
        tokens: answers(() => chain.tokens()),
      },
      receipts: {
        find: answers((some: readonly TransactionRecord[], { head }: { head: BlockHead }) =>
          chain.inclusionsOf(some, head.number),
        ),
        standing: answers((some: readonly TransactionRecord[]) =>
          some
            .filter(({ inclusion }) => inclusion && chain.hashAt(inclusion.blockNumber) === inclusion.blockHash)
            .map(({ id }) => id),
        ),
      },
      limiter: {},
      depositsKnown: { isComplete: answers(() => true) },
      minimumLiquidityWei: 1n,
      ledgerAddsUp: async () => true,
      rules: {
        treasury: TREASURY,
        confirmations: CONFIRMATIONS,
        mostInFlight: 8,
        mostConsecutiveFailures: 20,
        liquidityTimeoutMs: 300_000,
        reconcileMs: 60_000,
        buyTransaction: ({ amountInWei }: { amountInWei: bigint }) => ({
          to: ROUTER,
          value: amountInWei,
          // Encoded once: it is the dearest part of a history.
          data: `${BUY_OF}${numberToHex(amountInWei, { size: 32 }).slice(2)}`,
        }),
      },
    };
  }
}
