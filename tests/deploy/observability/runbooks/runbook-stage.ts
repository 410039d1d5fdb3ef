import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateJobResponse, JobPaymentResponse, JobStatusResponse } from '@maker/contracts';
import { ACTIVE_PHASES } from '@maker/execution-records';
import type { ChainClock, ServiceName } from '@maker/local-stack';
import { type Collection, type Db, type Document, MongoClient } from 'mongodb';
import { type FaultyNetwork, reachThrough } from '../../../support/faulty-network.ts';
import { FAST_CLOCK, startOwnStack } from '../../../support/own-stack.ts';
import { ProductClient } from '../../../support/product-client.ts';
import type { RunRunbook } from '../../../support/runbook-commands.ts';
import { StolenLeases } from '../../../support/stolen-leases.ts';
import { until } from '../../../support/until.ts';
import { WebhookReceiver } from '../../../support/webhook-receiver.ts';
import { type FakeExporters, startFakeExporters } from '../fake-exporters.ts';
import { type PrometheusServer, startPrometheus } from '../prometheus-server.ts';
import { ShownCanary } from '../shown-canary.ts';

/** Values that an operator fills into a runbook's commands. */
export type FilledIn = Readonly<Record<string, string>>;

/** A fault, its alert, and the state after its runbook was followed. */
export interface Run {
  readonly runbook: Exclude<RunRunbook, 'recovery-drill'>;
  readonly alert: string;
  /** The alert always fires without a fault, and stops with one. */
  readonly isAlwaysFiring?: true;
  /** The alert compares the chain's clock with ours, so both run at the same speed. */
  readonly inStep?: true;
  /** The rule's range or duration, as written and in this test. */
  readonly patience?: Readonly<Record<string, string>>;
  readonly makeFault: (stage: RunbookStage) => Promise<FilledIn>;
  /** Output about the fault of the commands before `elsewhere`. */
  readonly shows?: RegExp;
  /** Steps outside our commands: in a cluster, its values, or a third party's system. Also runs if a command fails before. */
  readonly elsewhere?: (stage: RunbookStage, filledIn: FilledIn) => Promise<void> | void;
  /** Number of the runbook's blocks to run before that; 0 by default. */
  readonly blocksBefore?: number;
  /** Waits until the state is restored. @throws Error if it never is */
  readonly isMended: (stage: RunbookStage, filledIn: FilledIn) => Promise<void>;
}

/** Longest wait for services to act. */
export const SOON = { timeoutMs: 240_000 };

/** Window of a job's orders by the chain's clock: long enough to pause one, or drop its payment, before its end. */
const WINDOW_SECONDS = 600;

/** A service without a database takes three seconds to report it. */
const SCRAPE_SECONDS = 4;

/** Servers that services reach through a faulty network. */
type Server = 'mongod' | 'nats-server' | 'chain';

/** At the speed of real chains, by our clock. */
const IN_STEP: ChainClock = { ...FAST_CLOCK, secondsPerBlock: 0 };

/** One stack for all runbooks, with functions that break it. */
export class RunbookStage {
  private constructor(
    readonly folder: string,
    readonly running: Awaited<ReturnType<typeof startOwnStack>>,
    readonly product: ProductClient,
    readonly receiver: WebhookReceiver,
    private readonly networks: ReadonlyMap<Server, FaultyNetwork>,
    private readonly mongo: MongoClient,
    readonly canary: ShownCanary,
    private readonly exporters: FakeExporters,
    readonly prometheus: PrometheusServer,
  ) {}

  /** Servers that a fault added, which stop with the stage. */
  private readonly added: (() => Promise<void>)[] = [];

  /** Block time. */
  readonly blockMs = FAST_CLOCK.blockMs;

  /** @param inStep whether the chain's clock runs as ours does @param rules of its Prometheus */
  static async start(inStep: boolean, rules: object): Promise<RunbookStage> {
    const folder = await mkdtemp(join(tmpdir(), 'maker-runbooks-'));
    const receiver = await WebhookReceiver.start();
    const networks = new Map<Server, FaultyNetwork>();
    const running = await startOwnStack(
      WINDOW_SECONDS,
      {
        'payment-watcher': { WATCHER_POLL_INTERVAL_SECONDS: '2' },
        // Reverted orders must not end a job before its alert has fired.
        'maker-executor': { MAKER_RECONCILE_SECONDS: '2', MAKER_MOST_CONSECUTIVE_FAILURES: '100000' },
      },
      {},
      {
        clock: inStep ? IN_STEP : FAST_CLOCK,
        webhookEndpointsFile: receiver.endpointsFile,
        reach: reachThrough(networks),
      },
    );
    const mongo = new MongoClient(running.stack.mongoUrl);
    const canary = await ShownCanary.start(running.stack);
    const exporters = await startFakeExporters(running.stack);
    const rulesFile = join(folder, 'rules.json');
    await writeFile(rulesFile, JSON.stringify(rules));
    const prometheus = await startPrometheus(
      { ...running.stack.ops, ...exporters.targets, canary: canary.target },
      { files: [rulesFile], scrapeSeconds: SCRAPE_SECONDS, evaluationSeconds: 2 },
    );
    const product = new ProductClient(running.stack);
    return new RunbookStage(folder, running, product, receiver, networks, mongo, canary, exporters, prometheus);
  }

  async stop(): Promise<void> {
    await this.prometheus.stop();
    await this.exporters.stop();
    for (const remove of this.added) await remove();
    await this.canary.stop();
    await this.mongo.close();
    await this.running.stop();
    await this.receiver.stop();
    for (const network of this.networks.values()) await network.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  get stack() {
    return this.running.stack;
  }

  /** Cuts services off from a server, or reconnects them. */
  reach(server: Server, isReached: boolean): void {
    this.networks.get(server)?.set({ kind: isReached ? 'none' : 'reset' });
  }

  /** The chain as services reach it. */
  get chainUrl(): string {
    return `http://127.0.0.1:${this.networks.get('chain')?.port}`;
  }

  /** Registers parts of a fault that end only with the stage. */
  atEnd(remove: () => Promise<void>): void {
    this.added.push(remove);
  }

  /** The replica set's answer to its administrator. */
  get administration(): Db {
    return this.mongo.db('admin');
  }

  /** Stops a service's database from writing new rows of a collection, or at 'strict' any row, or allows it again. */
  async refuseRows(
    service: ServiceName,
    collection: string,
    isRefused: boolean,
    validationLevel: 'moderate' | 'strict' = 'moderate',
  ): Promise<void> {
    const rule = { validator: isRefused ? { _id: { $exists: false } } : {}, validationLevel };
    await this.mongo.db(databaseOf(service)).command({ collMod: collection, ...rule });
  }

  /** Rows of a service, for manual changes. */
  rows<Row extends Document>(service: ServiceName, collection: string): Collection<Row> {
    return this.mongo.db(databaseOf(service)).collection<Row>(collection);
  }

  /** Gives leases of a service to a dead process. @param prefix of their names @param ms until they expire */
  async stealLeases(service: ServiceName, prefix: string, ms: number): Promise<void> {
    const leases = StolenLeases.of(this.stack, databaseOf(service));
    const names = (await leases.held()).filter((name) => name.startsWith(prefix));
    for (const name of names) await leases.seize(name, ms);
    await leases.close();
  }

  async untilReady(service: ServiceName): Promise<void> {
    const ask = async () => (await fetch(`${this.stack.ops[service]}/readyz`)).status;
    await until(`${service} to be ready`, ask, (status) => status === 200, SOON);
  }

  /** Retries if services that just recovered do not answer in time. */
  async create(): Promise<CreateJobResponse> {
    const ask = () => this.product.createJob(this.stack.tokens.v2Only, 0.25).catch(() => undefined);
    const job = await until('a job', ask, (created) => created !== undefined, SOON);
    if (!job) throw new Error('no job was created');
    return job;
  }

  /** Ends all trading jobs, so that they raise no alert later. */
  async endAllJobs(): Promise<void> {
    const jobs = this.rows<{ _id: string; status: string }>('job', 'jobs');
    const executions = this.rows('maker-executor', 'executions');
    const cancelled = new Set<string>();
    const atWork = async () => {
      const active = await jobs.find({ status: 'active' }).toArray();
      for (const { _id: jobId } of active) {
        if (cancelled.has(jobId)) continue;
        const signed = this.product.signed({ action: 'cancel', jobId });
        // A job that ends meanwhile is refused, and not found again.
        const { status } = await this.product.askAsOperator('POST', '/commands', signed);
        if (status < 300) cancelled.add(jobId);
      }
      return active.length + (await executions.countDocuments({ phase: { $in: [...ACTIVE_PHASES] } }));
    };
    await until('the end of all jobs', atWork, (count) => count === 0, SOON);
  }

  untilStatus(what: string, job: string, satisfied: (status: JobStatusResponse) => boolean) {
    return until(what, () => this.product.status(job), satisfied, SOON);
  }

  untilPayment(what: string, job: string, satisfied: (payment: JobPaymentResponse) => boolean) {
    return until(what, () => this.product.payment(job), satisfied, SOON);
  }

  /** Advances the chain past the job's deadline. */
  async expire({ paymentDeadline }: CreateJobResponse): Promise<void> {
    const { control } = this.product;
    await control.request('evm_setNextBlockTimestamp', Math.ceil(Date.parse(paymentDeadline) / 1000) + 5);
    await control.request('evm_mine');
  }

  /** A trading job, and the block of its payment. */
  async startTrading(): Promise<{ readonly JOB: string; readonly paidIn: bigint }> {
    const { jobId, paymentAddress } = await this.create();
    const { blockNumber } = await this.product.pay(paymentAddress, '0.25');
    await this.untilStatus('orders', jobId, ({ receipt }) => (receipt?.ordersPlaced ?? 0) >= 2);
    return { JOB: jobId, paidIn: blockNumber };
  }

  /** Waits for more orders of a job, or its end. A request just after an outage may fail once more. */
  async tradesOn(job: string): Promise<void> {
    const ask = async () => {
      const { status, body } = await this.product.call<JobStatusResponse>('GET', `/jobs/${job}/status`);
      return status === 200 ? body : undefined;
    };
    const placedBy = (answer: JobStatusResponse | undefined) => answer?.receipt?.ordersPlaced ?? 0;
    const first = await until('the receipt', ask, (answer) => answer?.receipt !== undefined, SOON);
    const hasMore = (answer: JobStatusResponse | undefined) =>
      answer?.status === 'completed' || placedBy(answer) > placedBy(first);
    await until('more orders', ask, hasMore, SOON);
  }
}

const databaseOf = (service: ServiceName) => service.replaceAll('-', '_');
