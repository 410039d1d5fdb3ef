import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { erc20Abi } from '@maker/chain';
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
import {
  ACCOUNT_INDEX,
  type ExchangeChainPart,
  type QuickClock,
  startChain,
  startMongo,
  startNats,
} from '@maker/local-stack';
import { RequestClient } from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { Leases } from '@maker/persistence';
import { parseHype, slotsIn, splitDeposit } from '@maker/rules';
import { createLogger } from '@maker/service-kit';
import { publicKeyText, signCommand } from '@maker/signing/commands';
import { SeedKeyring, type Signer } from '@maker/signing/private';
import type { INestMicroservice } from '@nestjs/common';
import { type Address, createTestClient, type Hash, type Hex, http, numberToHex, publicActions } from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { receiptsEnvironment } from '../../receipts/src/configuration.ts';
import { receiptsModule } from '../../receipts/src/receipts.module.ts';
import { makerEnvironment } from './configuration.ts';
import { type Ending, Explanations, FakeJob } from './fake-job.fixture.ts';
import { makerModule } from './maker.module.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';

/** Blocks four times as fast as HyperEVM's: most of what a job does waits for them. */
export const FAST_BLOCKS = { clock: { blockMs: 250, gainedSeconds: 0 } };
/** The same, and five seconds of the chain in each of ours: for what waits for its clock, such as attempts and slow schedules. */
export const FAST_CLOCK = { clock: { blockMs: 250, gainedSeconds: 1 } };

/** No job of a test takes longer, however busy the machine, ms: what takes longer hangs. */
export const RUN_MS = 240_000;

/** So slow that a test sees each order by itself. */
export const SLOW = { windowSeconds: 1_000_000, MAKER_RECONCILE_SECONDS: '1' };
/** Time over which the orders of a job are spread, unless a test asks for another. */
const WINDOW_SECONDS = 10;
const DAY_MS = 86_400_000;

/** Waits of a test: for what takes a few blocks, and for what takes a whole job. */
export const SOON = { timeout: 30_000, interval: 100 };
export const EVENTUALLY = { timeout: RUN_MS, interval: 100 };

/** Pays for 65 orders: enough to be interrupted. */
const SMALL_DEPOSIT = parseHype('0.18');

/** Those whose commands the maker carries out. */
const OPERATORS: Readonly<Record<string, KeyObject>> = {
  anna: generateKeyPairSync('ed25519').privateKey,
  bob: generateKeyPairSync('ed25519').privateKey,
};

/** A job whose wallet holds its deposit, known to the maker. */
export interface PaidJob {
  readonly jobId: string;
  readonly depositWei: bigint;
  readonly token: Address;
  readonly wallet: Address;
  /** Nobody else is paid there. */
  readonly payer: Address;
}

/** Settings of a maker and of the jobs after it. */
interface MakerPace {
  readonly windowSeconds?: number;
  readonly [variable: string]: string | number | undefined;
}

/** A stage for all tests of a file, whose makers end with each of them. From the first test on. */
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

/** Real servers, makers between them, and a fake job service. */
export class MakerStage {
  readonly treasury: Address;
  readonly client: ReturnType<typeof clientOf>;
  private readonly keyring = SeedKeyring.fromMnemonic(MNEMONIC);
  private readonly makers: INestMicroservice[] = [];
  /** What was last sent as each, once the node has taken it or refused. */
  private readonly sending = new Map<Address, Promise<unknown>>();
  private nextIndex = 0;
  private windowSeconds = WINDOW_SECONDS;

  private constructor(
    readonly chain: ExchangeChainPart,
    readonly jobs: FakeJob,
    private readonly environment: Record<string, string>,
    private readonly ends: readonly (() => Promise<unknown>)[],
  ) {
    this.client = clientOf(chain);
    this.treasury = chain.accounts[ACCOUNT_INDEX.treasury]?.address ?? '0x';
  }

  /** @param blockSeconds 0 mines on request only @param clock in place of it, for blocks that come within a second */
  static async start({
    blockSeconds = 1,
    clock,
  }: {
    blockSeconds?: number;
    clock?: QuickClock;
  } = {}): Promise<MakerStage> {
    const folder = await mkdtemp(join(tmpdir(), 'maker-executor-'));
    const [mongo, nats, chain] = await Promise.all([
      startMongo(),
      startNats(),
      startChain({ exchanges: true, blockSeconds, clock }),
    ]);
    const exchangesFile = join(folder, 'exchanges.json');
    const seedFile = join(folder, 'seed');
    await writeFile(exchangesFile, JSON.stringify(chain.exchanges));
    await writeFile(seedFile, MNEMONIC, { mode: 0o400 });
    const environment = {
      LOG_LEVEL: 'fatal',
      LISTEN_HOST: '127.0.0.1',
      OPS_PORT: '0',
      SHUTDOWN_DRAIN_MS: '0',
      NATS_URL: nats.url,
      MONGO_URL: mongo.urlOf('maker_executor'),
      CHAIN_ID: '31337',
      CHAIN_RPC_URLS: chain.rpcUrl,
      CHAIN_EXCHANGES_FILE: exchangesFile,
      MAKER_SEED_FILE: seedFile,
      TREASURY_ADDRESS: chain.accounts[ACCOUNT_INDEX.treasury]?.address ?? '',
      MAKER_LEASE_SECONDS: '3',
      MAKER_OPERATOR_KEYS: Object.entries(OPERATORS)
        .map(([name, key]) => `${name}:${publicKeyText(key)}`)
        .join(','),
    };
    const jobs = await FakeJob.start(nats.url, mongo.urlOf('job'));
    const receipts = await startReceipts({ ...environment, MONGO_URL: mongo.urlOf('receipts') });
    const remove = () => rm(folder, { recursive: true, force: true });
    return new MakerStage(chain, jobs, environment, [
      () => receipts.close(),
      () => mongo.stop(),
      () => nats.stop(),
      () => chain.stop(),
      remove,
    ]);
  }

  async stop(): Promise<void> {
    await this.stopMakers();
    await this.jobs.stop();
    await Promise.all(this.ends.map((end) => end()));
  }

  /** Mines block after block until something holds. @param timeout ms */
  async mineUntil(holds: () => Promise<void> | void, timeout = RUN_MS): Promise<void> {
    await vi.waitFor(
      async () => {
        await this.client.mine({ blocks: 1 });
        await holds();
      },
      { timeout, interval: 300 },
    );
  }

  /**
   * Starts a maker as it is deployed.
   * @param pace environment that differs from the tests' own, and the time over which the orders of later jobs are spread
   */
  async startMaker({ windowSeconds, ...more }: MakerPace = {}): Promise<INestMicroservice> {
    if (windowSeconds !== undefined) this.windowSeconds = windowSeconds;
    const configuration = makerEnvironment.parse({ ...this.environment, ...more });
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

  /** Ends a maker as a crash would: its leases are not given back. */
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
    } = {},
  ): Promise<PaidJob> {
    const { depositWei = SMALL_DEPOSIT } = change;
    const index = this.nextIndex++;
    const wallet = this.keyring.wallet(1000 + index).address;
    const payer = this.keyring.wallet(2000 + index).address;
    const jobId = `job_${randomBytes(16).toString('hex')}`;
    if (change.byTransfer) await this.pay(jobId, payer, wallet, depositWei);
    else await this.client.setBalance({ address: wallet, value: depositWei });
    await this.jobs.activate(jobId, {
      tokenAddress: token,
      walletAddress: wallet,
      walletIndex: change.walletIndex ?? 1000 + index,
      depositWei: depositWei.toString(),
      returnAddress: change.returnAddress === null ? null : payer,
      plan: change.plan ?? (await this.spreadPlan(depositWei)),
    });
    return { jobId, depositWei, token, wallet, payer };
  }

  /** Pays by a plain transfer, which payment-watcher has credited. */
  private async pay(jobId: string, from: Address, to: Address, amountWei: bigint): Promise<void> {
    // Enough for the gas whatever the base fee is: a test before may have raised it.
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

  /** Sends a transaction as whoever it is. @returns its hash, once it is in a block */
  async sendAs(
    from: Address,
    { to, value = 0n, data = '0x' }: { to: Address; value?: bigint; data?: Hex },
  ): Promise<Hash> {
    await this.client.impersonateAccount({ address: from });
    // An estimate within the second of the last swap has no gas for what a pair writes once a second.
    const gas = numberToHex(300_000);
    const send = () =>
      this.client.request({
        method: 'eth_sendTransaction',
        params: [{ from, to, value: numberToHex(value), data, gas }],
      } as never) as Promise<Hash>;
    // The node chooses the nonce, the same for two that come at once.
    const sent = (this.sending.get(from) ?? Promise.resolve()).then(send);
    // A refusal is for whoever sent it, and holds up nobody behind it.
    this.sending.set(
      from,
      sent.catch(() => undefined),
    );
    const hash = await sent;
    await this.client.waitForTransactionReceipt({ hash });
    return hash;
  }

  /** Key of a job's wallet. */
  signerOf({ wallet }: Pick<PaidJob, 'wallet'>): Signer {
    for (let index = 1000; index < 1000 + this.nextIndex; index++) {
      const signer = this.keyring.wallet(index);
      if (signer.address === wallet) return signer;
    }
    throw new Error(`${wallet} is no wallet of this stage`);
  }

  /** A plan that spreads the orders of a deposit over the time of the newest maker. */
  private spreadPlan(depositWei: bigint): Promise<AgreedPlan> {
    const windowMs = this.windowSeconds * 1000;
    const slots = Math.max(1, slotsIn(splitDeposit(depositWei).orderBudgetWei));
    return this.plan({ slotMs: windowMs / slots }, { tradingMs: windowMs + DAY_MS });
  }

  /** A plan like those that the job service publishes, on the chain's clock. @param more what differs from the tests' pace */
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

  /** A job that was never active, to whose wallet some money came. */
  async unpaidJob(amountWei: bigint): Promise<Omit<PaidJob, 'depositWei'> & { readonly walletIndex: number }> {
    const walletIndex = 1000 + this.nextIndex++;
    const wallet = this.keyring.wallet(walletIndex).address;
    const payer = this.keyring.wallet(walletIndex + 1000).address;
    await this.client.setBalance({ address: wallet, value: amountWei });
    const jobId = `job_${randomBytes(16).toString('hex')}`;
    this.jobs.explanations.unpaid.set(jobId, { status: 'payment_expired', paymentAddress: wallet.toLowerCase() });
    return { jobId, token: this.chain.tokens.both, wallet, payer, walletIndex };
  }

  /** An address that nobody has paid before. */
  strangerOf(number: number): Address {
    return this.keyring.wallet(5000 + number).address;
  }

  /** Pays from an account of the local chain, in a block of its own where it mines by itself. */
  async send(to: Address, value: bigint): Promise<void> {
    await this.sendAs(this.chain.accounts[0]?.address ?? '0x', { to, value });
  }

  balance(address: Address): Promise<bigint> {
    return this.client.getBalance({ address });
  }

  tokensOf({ token }: PaidJob, address: Address): Promise<bigint> {
    return this.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] });
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

  /** A command as operators sign it. @param by by default both operators */
  signed(
    fields: {
      action: string;
      jobId?: string;
      to?: Address;
      amountWei?: string;
      gasFrom?: Address;
      walletAddress?: Address;
      walletIndex?: number;
      tokens?: readonly Address[];
      wallet?: { address: Address; index: number; tokenAddress: Address };
    },
    by: readonly string[] = Object.keys(OPERATORS),
  ): SignedCommand {
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const command = { chainId: 31337, reason: 'a test', nonce: randomUUID(), expiresAt, ...fields };
    const text = JSON.stringify(command);
    const signatures = by.map((operator) => ({
      operator,
      signature: signCommand(text, OPERATORS[operator] as KeyObject),
    }));
    return { text, signatures };
  }

  /** Operators give a command. @returns what it did */
  command(...given: Parameters<MakerStage['signed']>): Promise<string> {
    return this.give(this.signed(...given));
  }

  /** Gives a command as it was signed. @returns what it did */
  async give(signed: SignedCommand): Promise<string> {
    return (await this.jobs.app.get(RequestClient).request(carryOutCommand, signed)).outcome;
  }

  /** Operators release all that is held for a job. */
  async release(
    { jobId, wallet }: Pick<PaidJob, 'jobId' | 'wallet'>,
    fields: Pick<Parameters<MakerStage['signed']>[0], 'to' | 'gasFrom' | 'tokens' | 'wallet'> = {},
    by?: readonly string[],
  ): Promise<string> {
    const asked = { jobId, walletAddress: wallet.toLowerCase() as Address };
    const { heldWei } = await this.jobs.app.get(RequestClient).request(reconcileJob, asked);
    return this.command({ action: fields.to ? 'release' : 'return', jobId, amountWei: heldWei, ...fields }, by);
  }

  /** Waits until a job has so many orders. */
  async placed(job: PaidJob, count: number): Promise<void> {
    const orders = async () => (await this.receiptOf(job)).ordersPlaced;
    await vi.waitFor(async () => expect(await orders()).toBeGreaterThanOrEqual(count), EVENTUALLY);
  }

  /** Waits for the event of a job's end. */
  async ended({ jobId }: PaidJob): Promise<Ending | undefined> {
    await vi.waitFor(() => expect(this.jobs.endings(jobId)).toHaveLength(1), EVENTUALLY);
    return this.jobs.endings(jobId)[0];
  }
}

/** Starts what answers for receipts: it reads the makers' database. */
function startReceipts(environment: Record<string, string>): Promise<INestMicroservice> {
  const configuration = receiptsEnvironment.parse(environment);
  const logger = createLogger('receipts', process.env.TEST_LOG_LEVEL ?? 'fatal');
  const options = { servers: configuration.NATS_URL, queue: 'receipts', gracefulShutdown: true, gracePeriod: 100 };
  return startServer(receiptsModule(configuration, logger), options);
}

function clientOf({ rpcUrl }: ExchangeChainPart) {
  const transport = http(rpcUrl);
  return createTestClient({ chain: foundry, mode: 'anvil', transport, cacheTime: 0, pollingInterval: 50 }).extend(
    publicActions,
  );
}
