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

/** What whoever is woken fills into the commands of a runbook. */
export type FilledIn = Readonly<Record<string, string>>;

/** A fault, the alert that it is told by, and what is so once its runbook was followed. */
export interface Run {
  readonly runbook: Exclude<RunRunbook, 'recovery-drill'>;
  readonly alert: string;
  /** It fires for as long as all is well, and tells by its silence. */
  readonly isAlwaysTold?: true;
  /** The alert holds the chain's clock against ours: both go at one pace. */
  readonly inStep?: true;
  /** How long the rule looks back, or lets something last, as it is written and as it is here. */
  readonly patience?: Readonly<Record<string, string>>;
  readonly makeFault: (stage: RunbookStage) => Promise<FilledIn>;
  /** What the commands before `elsewhere` print of the fault. */
  readonly shows?: RegExp;
  /** What is done where no command of ours reaches: by a cluster, its values, or somebody else. Also where a run fails before. */
  readonly elsewhere?: (stage: RunbookStage, filledIn: FilledIn) => Promise<void> | void;
  /** Blocks of the runbook that are run before that; none unless told. */
  readonly blocksBefore?: number;
  /** Waits until it is so. @throws Error where it never is */
  readonly isMended: (stage: RunbookStage, filledIn: FilledIn) => Promise<void>;
}

/** Longest wait for what services do by themselves. */
export const SOON = { timeoutMs: 240_000 };

/** Of a job's orders, by the chain's clock: long enough that one is paused, or its payment dropped, before its end. */
const WINDOW_SECONDS = 600;

/** A service that has no database takes three seconds to say so. */
const SCRAPE_SECONDS = 4;

/** Servers that services reach through a network that can fail. */
type Server = 'mongod' | 'nats-server' | 'chain';

/** As fast as the others', by our clock. */
const IN_STEP: ChainClock = { ...FAST_CLOCK, secondsPerBlock: 0 };

/** One stack that all runbooks are run against, with what can be done to it. */
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

  /** Of servers that a fault added, which go with the stage. */
  private readonly added: (() => Promise<void>)[] = [];

  /** Between two blocks. */
  readonly blockMs = FAST_CLOCK.blockMs;

  /** @param inStep whether the chain's clock goes as ours does @param rules that its Prometheus judges by */
  static async start(inStep: boolean, rules: object): Promise<RunbookStage> {
    const folder = await mkdtemp(join(tmpdir(), 'maker-runbooks-'));
    const receiver = await WebhookReceiver.start();
    const networks = new Map<Server, FaultyNetwork>();
    const running = await startOwnStack(
      WINDOW_SECONDS,
      {
        'payment-watcher': { WATCHER_POLL_INTERVAL_SECONDS: '2' },
        // Orders that are reverted end no job before somebody was told of them.
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

  /** Services reach a server no longer, or again. */
  reach(server: Server, isReached: boolean): void {
    this.networks.get(server)?.set({ kind: isReached ? 'none' : 'reset' });
  }

  /** The chain as services reach it. */
  get chainUrl(): string {
    return `http://127.0.0.1:${this.networks.get('chain')?.port}`;
  }

  /** What a fault brings that only goes with the stage. */
  atEnd(remove: () => Promise<void>): void {
    this.added.push(remove);
  }

  /** What the replica set says to its administrator. */
  get administration(): Db {
    return this.mongo.db('admin');
  }

  /** A service's database writes no new row of a collection, or does again. */
  async refuseRows(service: ServiceName, collection: string, isRefused: boolean): Promise<void> {
    // What is there may be changed as before.
    const rule = { validator: isRefused ? { _id: { $exists: false } } : {}, validationLevel: 'moderate' };
    await this.mongo.db(databaseOf(service)).command({ collMod: collection, ...rule });
  }

  /** Rows of a service, in whatever hands. */
  rows<Row extends Document>(service: ServiceName, collection: string): Collection<Row> {
    return this.mongo.db(databaseOf(service)).collection<Row>(collection);
  }

  /** Leases of a service are in the hands of a process that died. @param prefix of their names @param ms until they end */
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

  /** Asks again where services that just came back did not answer in time. */
  async create(): Promise<CreateJobResponse> {
    const ask = () => this.product.createJob(this.stack.tokens.v2Only, 0.25).catch(() => undefined);
    const job = await until('a job', ask, (created) => created !== undefined, SOON);
    if (!job) throw new Error('no job was created');
    return job;
  }

  /** Ends whatever trades, so that nothing of it can raise an alert later on. */
  async endAllJobs(): Promise<void> {
    const jobs = this.rows<{ _id: string; status: string }>('job', 'jobs');
    const executions = this.rows('maker-executor', 'executions');
    const cancelled = new Set<string>();
    const atWork = async () => {
      const active = await jobs.find({ status: 'active' }).toArray();
      for (const { _id: jobId } of active) {
        if (cancelled.has(jobId)) continue;
        const signed = this.product.signed({ action: 'cancel', jobId });
        // One that ends by itself meanwhile is refused, and not found again.
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

  /** The chain passes the job's deadline. */
  async expire({ paymentDeadline }: CreateJobResponse): Promise<void> {
    const { control } = this.product;
    await control.request('evm_setNextBlockTimestamp', Math.ceil(Date.parse(paymentDeadline) / 1000) + 5);
    await control.request('evm_mine');
  }

  /** A job that trades, and the block in which it was paid. */
  async startTrading(): Promise<{ readonly JOB: string; readonly paidIn: bigint }> {
    const { jobId, paymentAddress } = await this.create();
    const { blockNumber } = await this.product.pay(paymentAddress, '0.25');
    await this.untilStatus('orders', jobId, ({ receipt }) => (receipt?.ordersPlaced ?? 0) >= 2);
    return { JOB: jobId, paidIn: blockNumber };
  }

  /** More orders of a job than there are now, or all of them. What is asked just after an outage may go wrong once more. */
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
