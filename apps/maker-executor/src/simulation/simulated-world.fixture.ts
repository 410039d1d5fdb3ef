import {
  type ActivatedJob,
  expectedBalance,
  isActivePhase,
  type Refund,
  startExecution,
  type TransactionRecord,
} from '@maker/execution-records';
import { agreedTerms, TRUST } from '@maker/execution-records/testing';
import { pino } from 'pino';
import { zeroAddress } from 'viem';
import type { MakerMetrics } from '../metrics/maker.metrics.ts';
import { Apply } from '../runner/apply.ts';
import { type RunnerEnd, SessionRunner } from '../runner/session-runner.ts';
import type { TickSources } from '../runner/tick-sources.ts';
import { type Circumstances, PAYER, SimulatedChain, TOKEN, WALLET } from './simulated-chain.fixture.ts';
import { SimulatedDatabase } from './simulated-database.fixture.ts';
import { simulatedSigner } from './simulated-signer.fixture.ts';
import { simulatedSources } from './simulated-sources.fixture.ts';
import { demand, expectSaved, expectSums, STRANGERS, stepsOf } from './world-laws.fixture.ts';

const JOB = 'job_0123456789abcdef0123456789abcdef';
/** Pays for thirty orders. */
const DEPOSIT = 160_000_000_000_000_000n;
const SLOT_MS = 5000;
/** Chain time from the deposit to the latest end, s. */
export const LASTS_SECONDS = 900;
const GRACE_SECONDS = 1800;

/** Error messages that histories cause on purpose. */
const EXPECTED_FAULTS: readonly string[] = [
  'the endpoint does not answer',
  'the database does not answer',
  'the process died here',
];

/** An event of a history. */
export type HistoryEvent =
  | { readonly kind: 'blocks'; readonly count: number; readonly seconds: number }
  /** A block that no process of ours reads. */
  | { readonly kind: 'unseen' }
  | { readonly kind: 'reorganise'; readonly depth: number }
  | { readonly kind: 'deposit'; readonly from: 0 | 1; readonly isDust: boolean; readonly isKnown: boolean }
  | { readonly kind: 'cancel' | 'pause' | 'resume' | 'handOver' | 'restart' | 'dieBeforeSending' | 'loseAnswer' }
  | { readonly kind: 'databaseFails' | 'readsFail'; readonly times: number }
  | { readonly kind: 'circumstance'; readonly change: Partial<Circumstances> };

/** One job, its wallet on a simulated chain, and the processes that own the wallet one after the other. */
export class SimulatedWorld {
  readonly chain = new SimulatedChain(DEPOSIT);
  readonly database: SimulatedDatabase;
  private runner: SessionRunner | undefined;
  private dies = false;
  private refunds = 0;
  private readonly latestEndMs: number;
  /** Chain time of the first tick after the job's latest end, ms. */
  private firstLateTickMs: number | undefined;
  private nowMs = 0;
  private readonly signer = simulatedSigner(JOB, () => this.nowMs);
  private readonly faults: string[] = [];
  private faultCount = 0;
  /** The last process with a tick before the job's latest end. */
  private inTime: SessionRunner | undefined;

  constructor() {
    const { timestampMs } = this.chain.head;
    this.latestEndMs = timestampMs + LASTS_SECONDS * 1000;
    const job: ActivatedJob = {
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
    };
    const terms = agreedTerms(job);
    const { execution, entries } = startExecution({ ...job, terms }, WALLET, new Date(timestampMs), TRUST);
    this.database = new SimulatedDatabase(execution, entries);
  }

  async play(event: HistoryEvent): Promise<void> {
    switch (event.kind) {
      case 'blocks':
        for (let count = 0; count < event.count; count += 1) await this.block(event.seconds);
        return;
      case 'unseen':
        return this.chain.mine(1);
      case 'reorganise':
        return this.reorganise(event.depth);
      case 'deposit':
        return this.deposit(event.from, event.isDust, event.isKnown);
      case 'cancel':
      case 'pause':
        return this.database.facts.record(JOB, event.kind, undefined, { by: 'ops', since: new Date(0) });
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
        this.database.failures = event.times;
        this.database.losesAnswer = false;
        return;
      case 'readsFail':
        this.chain.circumstances.failures = event.times;
        return;
      case 'circumstance':
        Object.assign(this.chain.circumstances, event.change);
    }
  }

  /** Ends all faults, and lets time pass until the job is settled. */
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
    // Nothing moves the latest end: the first block after it ends the job.
    while (isActivePhase(this.phase) && this.chain.head.timestampMs <= this.latestEndMs + GRACE_SECONDS * 2000)
      await this.block(20);
    for (let count = 0; count < 60; count += 1) await this.block(60);
  }

  /** Checks the laws that hold at any time. @param isFaulty whether the last tick failed */
  private expectLaws(isFaulty: boolean): void {
    const { execution, transactions } = this.database.all;
    const { timestampMs } = this.chain.head;
    expectSaved(transactions, this.chain);
    const isOpen = isActivePhase(execution.phase) && execution.releasedAt === null;
    // A failed tick ends nothing: the next successful one must end the job.
    if (this.firstLateTickMs !== undefined && isOpen && !isFaulty)
      demand(timestampMs < this.firstLateTickMs + GRACE_SECONDS * 1000 + 60_000, 'the job ends within its grace');
    demand(this.faults.length === 0, `no tick fails unexpectedly: ${this.faults.join('; ')}`);
    expectSums(this.database.all, this.chain);
  }

  private get phase() {
    return this.database.all.execution.phase;
  }

  private async block(seconds: number): Promise<void> {
    this.chain.mine(seconds);
    this.nowMs += seconds * 1000;
    const faultsBefore = this.faultCount;
    await this.tick();
    this.expectLaws(this.faultCount > faultsBefore);
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
    // A reorganisation may set chain time back before the latest end. A process that started after it keeps its grace.
    const isInTime = head.timestampMs < this.latestEndMs && this.firstLateTickMs === undefined;
    if (isInTime && this.faultCount === faultsBefore) this.inTime = runner;
    const { execution, transactions } = this.database.all;
    const isUnchanged = execution === before.execution && stepsOf(transactions) === stepsOf(before.transactions);
    demand(!isFenced || isUnchanged, 'nothing is decided or signed without the lease');
    const isStopped = before.execution.driftWei !== 0n || facts.some(({ kind }) => kind === 'recheck');
    const mayWait = isFenced || isStopped || execution.driftWei !== 0n || this.faultCount > faultsBefore;
    demand(!isLateFor || mayWait || !isActivePhase(execution.phase), 'the job ends by its latest end');
  }

  /** Does the work of `EndedWalletsCheck`. */
  private async checkEnded(): Promise<void> {
    const { execution } = this.database.all;
    if (expectedBalance(execution.totals) !== this.chain.balance()) await this.database.facts.record(JOB, 'settle');
  }

  private reorganise(depth: number): Promise<void> | void {
    this.chain.reorganise(depth);
    this.chain.mine(1);
    const gone = this.database.all.transactions.some(
      ({ state, inclusion }) =>
        state === 'final' && inclusion && this.chain.hashAt(inclusion.blockNumber) !== inclusion.blockHash,
    );
    if (!gone) return;
    return this.database.facts.record(JOB, 'recheck').then(() => this.database.facts.record(JOB, 'settle'));
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
    await this.database.facts.record(JOB, 'settle');
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
      this.signer as never,
      {
        broadcast: (some: readonly TransactionRecord[]) => this.broadcast(some),
        note: (ids: readonly string[]) => void this.database.transactions.markBroadcast(ids),
      } as never,
      { book: () => this.book() } as never,
    );
    const parts = {
      sources: simulatedSources(this.chain, this.database, () => this.nowMs) as unknown as TickSources,
      apply,
      metrics,
      logger,
    };
    const runner: SessionRunner = new SessionRunner(lease, { id: JOB }, parts, (_end: RunnerEnd) => {
      if (this.runner === runner) this.runner = undefined;
    });
    return runner;
  }

  /** Books the job's pace, unless the service is out of reach. */
  private async book(): Promise<true> {
    const { circumstances } = this.chain;
    if (circumstances.failures === 0) return true;
    circumstances.failures -= 1;
    throw new Error('the endpoint does not answer');
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
}
