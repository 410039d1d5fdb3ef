import { randomBytes } from 'node:crypto';
import {
  type AgreedPlan,
  carryOutCommand,
  getReceipt,
  listOrders,
  type Receipt,
  type ReceiptOrder,
  reconcileJob,
  type SignedCommand,
} from '@maker/contracts';
import { ACCOUNT_INDEX } from '@maker/local-stack';
import { RequestClient } from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { Leases } from '@maker/persistence';
import { parseHype, slotsIn, splitDeposit } from '@maker/rules';
import { createLogger } from '@maker/service-kit';
import { SeedKeyring, type Signer } from '@maker/signing/private';
import type { INestMicroservice } from '@nestjs/common';
import type { Address } from 'viem';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { makerEnvironment } from './configuration.ts';
import { type Ending, Explanations, FakeJob } from './fake-job.fixture.ts';
import { makerModule } from './maker.module.ts';
import { type CommandFields, signedCommand } from './operator-commands.fixture.ts';
import { StageChain } from './stage-chain.fixture.ts';
import { MNEMONIC, type StageOptions, type StageServers, startServers } from './stage-servers.fixture.ts';
import { EVENTUALLY } from './stage-times.fixture.ts';

/** Default time over which the orders of a job are spread. */
const WINDOW_SECONDS = 5;
const DAY_MS = 86_400_000;

/** Pays for 25 orders: enough for an interruption. */
const SMALL_DEPOSIT = parseHype('0.157');

/** A job whose wallet holds its deposit, known to the maker. */
export interface PaidJob {
  readonly jobId: string;
  readonly depositWei: bigint;
  readonly token: Address;
  readonly wallet: Address;
  /** An address that receives no other payments. */
  readonly payer: Address;
}

/** Settings of a maker and of the jobs after it. */
interface MakerPace {
  readonly windowSeconds?: number;
  readonly [variable: string]: string | number | undefined;
}

/** Starts one stage for all tests of a file. Its makers stop after each test. */
export function stageForFile(...given: Parameters<typeof MakerStage.start>): { readonly stage: MakerStage } {
  let stage: MakerStage | undefined;
  beforeAll(async () => {
    stage = await MakerStage.start(...given);
  });
  afterEach(() => stage?.stopMakers());
  afterAll(() => stage?.stop());
  return {
    get stage() {
      if (!stage) throw new Error('the stage of this file has not started');
      return stage;
    },
  };
}

/** Real servers, makers that use them, and a fake job service. */
export class MakerStage extends StageChain {
  readonly treasury: Address;
  private readonly keyring = SeedKeyring.fromMnemonic(MNEMONIC);
  private readonly makers: INestMicroservice[] = [];
  private nextIndex = 0;
  private windowSeconds = WINDOW_SECONDS;

  private constructor(
    private readonly servers: StageServers,
    readonly jobs: FakeJob,
  ) {
    super(servers.chain);
    this.treasury = this.chain.accounts[ACCOUNT_INDEX.treasury]?.address ?? '0x';
  }

  static async start(options: StageOptions = {}): Promise<MakerStage> {
    const servers = await startServers(options);
    return new MakerStage(servers, await FakeJob.start(servers.natsUrl, servers.jobMongoUrl));
  }

  async stop(): Promise<void> {
    await this.stopMakers();
    await this.jobs.stop();
    await this.servers.stop();
  }

  /**
   * Starts a maker as in a deployment.
   * @param pace differences from the tests' environment, and the time over which the orders of later jobs are spread
   */
  async startMaker({ windowSeconds, ...more }: MakerPace = {}): Promise<INestMicroservice> {
    if (windowSeconds !== undefined) this.windowSeconds = windowSeconds;
    const configuration = makerEnvironment.parse({ ...this.servers.environment, ...more });
    const logger = createLogger('maker-executor', process.env.TEST_LOG_LEVEL ?? 'fatal');
    const options = {
      servers: configuration.NATS_URL,
      queue: 'maker-executor',
      gracefulShutdown: true,
      gracePeriod: 100,
    };
    const maker = await startServer(makerModule(configuration, logger), options);
    this.makers.push(maker);
    return maker;
  }

  async stopMakers(): Promise<void> {
    this.windowSeconds = WINDOW_SECONDS;
    await Promise.all(this.makers.splice(0).map((maker) => maker.close()));
  }

  /** Stops a maker like a crash: it does not release its leases. */
  async crash(maker: INestMicroservice): Promise<void> {
    this.makers.splice(this.makers.indexOf(maker), 1);
    Object.assign(maker.get(Leases), { release: async () => {} });
    await maker.close();
  }

  async paidJob(
    token: Address,
    change: {
      depositWei?: bigint;
      returnAddress?: null;
      walletIndex?: number;
      plan?: AgreedPlan;
      byTransfer?: true;
      stopSecretHash?: string;
    } = {},
  ): Promise<PaidJob> {
    const { depositWei = SMALL_DEPOSIT } = change;
    const index = this.nextIndex++;
    const wallet = this.keyring.wallet(1000 + index).address;
    const payer = this.keyring.wallet(2000 + index).address;
    const jobId = `job_${randomBytes(16).toString('hex')}`;
    if (change.byTransfer) await this.pay(jobId, payer, wallet, depositWei);
    else await this.client.setBalance({ address: wallet, value: depositWei });
    const data = {
      tokenAddress: token,
      walletAddress: wallet,
      walletIndex: change.walletIndex ?? 1000 + index,
      depositWei: depositWei.toString(),
      returnAddress: change.returnAddress === null ? null : payer,
      plan: change.plan ?? (await this.spreadPlan(depositWei)),
    };
    await this.jobs.activate(jobId, data, change.stopSecretHash);
    return { jobId, depositWei, token, wallet, payer };
  }

  /** Pays by a plain transfer, which payment-watcher has credited. */
  private async pay(jobId: string, from: Address, to: Address, amountWei: bigint): Promise<void> {
    // Enough for the gas even if an earlier test raised the base fee.
    await this.client.setBalance({ address: from, value: amountWei + parseHype('0.1') });
    const transactionHash = await this.sendAs(from, { to, value: amountWei });
    const { blockNumber } = await this.client.getTransactionReceipt({ hash: transactionHash });
    const deposit = {
      depositId: `${to.toLowerCase()}:${transactionHash}`,
      kind: 'transfer',
      amountWei: `${amountWei}`,
      from: from.toLowerCase() as Address,
      transactionHash,
      blockNumber: Number(blockNumber),
    };
    this.jobs.app.get(Explanations).transfers.set(jobId, [deposit]);
  }

  /** Returns the key of a job's wallet. */
  signerOf({ wallet }: Pick<PaidJob, 'wallet'>): Signer {
    for (let index = 1000; index < 1000 + this.nextIndex; index++) {
      const signer = this.keyring.wallet(index);
      if (signer.address === wallet) return signer;
    }
    throw new Error(`${wallet} is no wallet of this stage`);
  }

  /** Returns a plan that spreads the orders of a deposit over the time of the newest maker. */
  private spreadPlan(depositWei: bigint): Promise<AgreedPlan> {
    const windowMs = this.windowSeconds * 1000;
    const slots = Math.max(1, slotsIn(splitDeposit(depositWei).orderBudgetWei));
    return this.plan({ slotMs: windowMs / slots }, { tradingMs: windowMs + DAY_MS });
  }

  /** Returns a plan as the job service publishes it, on the chain's clock. @param more fields that differ from the default */
  async plan(more: Partial<AgreedPlan> = {}, { tradingMs = 3_600_000 } = {}): Promise<AgreedPlan> {
    const { timestamp } = await this.client.getBlock();
    const tradingEndsAtMs = Number(timestamp) * 1000 + tradingMs;
    return {
      slotMs: 50,
      tradingEndsAt: new Date(tradingEndsAtMs).toISOString(),
      latestEndAt: new Date(tradingEndsAtMs + 3_600_000).toISOString(),
      seenPriceX96: null,
      slippageBps: 100,
      impactCapBps: 50,
      bandBps: 1000,
      ...more,
    };
  }

  /** Creates a job that was never active, and sets its wallet's balance. */
  async unpaidJob(amountWei: bigint): Promise<Omit<PaidJob, 'depositWei'> & { readonly walletIndex: number }> {
    const walletIndex = 1000 + this.nextIndex++;
    const wallet = this.keyring.wallet(walletIndex).address;
    const payer = this.keyring.wallet(walletIndex + 1000).address;
    await this.client.setBalance({ address: wallet, value: amountWei });
    const jobId = `job_${randomBytes(16).toString('hex')}`;
    this.jobs.explanations.unpaid.set(jobId, { status: 'payment_expired', paymentAddress: wallet.toLowerCase() });
    return { jobId, token: this.chain.tokens.both, wallet, payer, walletIndex };
  }

  /** Returns an address that has received no payment. */
  strangerOf(number: number): Address {
    return this.keyring.wallet(5000 + number).address;
  }

  async receiptOf({ jobId }: PaidJob): Promise<Receipt> {
    const { receipt } = await this.jobs.app.get(RequestClient).request(getReceipt, { jobId });
    if (!receipt) throw new Error('no receipt yet');
    return receipt;
  }

  async ordersOf({ jobId }: PaidJob): Promise<readonly ReceiptOrder[]> {
    const { orders } = await this.jobs.app.get(RequestClient).request(listOrders, { jobId, limit: 500 });
    return orders;
  }

  /** Returns a signed command. @param by names of the operators who sign, by default both */
  signed(fields: CommandFields, by?: readonly string[]): SignedCommand {
    return signedCommand(fields, by);
  }

  /** Signs and sends a command. @returns its outcome */
  command(fields: CommandFields, by?: readonly string[]): Promise<string> {
    return this.give(this.signed(fields, by));
  }

  /** Sends a signed command. @returns its outcome */
  async give(signed: SignedCommand): Promise<string> {
    return (await this.jobs.app.get(RequestClient).request(carryOutCommand, signed)).outcome;
  }

  /** Sends a command that releases all held money of a job. */
  async release(
    { jobId, wallet }: Pick<PaidJob, 'jobId' | 'wallet'>,
    fields: Pick<CommandFields, 'to' | 'gasFrom' | 'tokens' | 'wallet'> = {},
    by?: readonly string[],
  ): Promise<string> {
    const asked = { jobId, walletAddress: wallet.toLowerCase() as Address };
    const { heldWei } = await this.jobs.app.get(RequestClient).request(reconcileJob, asked);
    return this.command({ action: fields.to ? 'release' : 'return', jobId, amountWei: heldWei, ...fields }, by);
  }

  /** Waits until a job has at least `count` placed orders. */
  async placed(job: PaidJob, count: number): Promise<void> {
    const orders = async () => (await this.receiptOf(job)).ordersPlaced;
    await vi.waitFor(async () => expect(await orders()).toBeGreaterThanOrEqual(count), EVENTUALLY);
  }

  /** Waits for the event about a job's end. */
  async ended({ jobId }: PaidJob): Promise<Ending | undefined> {
    await vi.waitFor(() => expect(this.jobs.endings(jobId)).toHaveLength(1), EVENTUALLY);
    return this.jobs.endings(jobId)[0];
  }
}
