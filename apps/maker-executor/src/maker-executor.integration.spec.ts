import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { erc20Abi } from '@maker/chain';
import { getReceipt, listOrders, type Receipt } from '@maker/contracts';
import {
  ACCOUNT_INDEX,
  type ExchangeChainPart,
  type MongoPart,
  type NatsPart,
  startChain,
  startMongo,
  startNats,
} from '@maker/local-stack';
import { RequestClient } from '@maker/messaging';
import { estimateOrders, ORDER_COST_MAXIMUM_WEI, ORDER_COST_MINIMUM_WEI, parseHype } from '@maker/rules';
import { SeedKeyring } from '@maker/signing/private';
import type { INestMicroservice } from '@nestjs/common';
import { type Address, createTestClient, http, publicActions } from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectedBalance } from './ledger/ledger-entry.ts';
import { LedgerRepository } from './ledger.repository.ts';
import { crash, JobStandIn, newJobId, type Surroundings, startMaker } from './maker-executor.fixture.ts';
import { Broadcaster } from './send/broadcaster.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const DEPOSIT = parseHype('0.25');
/** Pays for 65 orders: enough to be interrupted. */
const SMALL_DEPOSIT = parseHype('0.18');
const GWEI = 1_000_000_000n;
const RUN_MS = 90_000;
const soon = { timeout: 30_000, interval: 100 };
const eventually = { timeout: RUN_MS, interval: 250 };

let mongo: MongoPart;
let nats: NatsPart;
let chain: ExchangeChainPart;
let client: ReturnType<typeof clientOf>;
let place: Surroundings;
let folder: string;
let jobs: JobStandIn;
let nextIndex = 0;
const keyring = SeedKeyring.fromMnemonic(MNEMONIC);
const makers: INestMicroservice[] = [];

function clientOf({ rpcUrl }: ExchangeChainPart) {
  return createTestClient({ chain: foundry, mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 }).extend(
    publicActions,
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-executor-'));
  [mongo, nats, chain] = await Promise.all([startMongo(), startNats(), startChain({ exchanges: true })]);
  client = clientOf(chain);
  place = {
    natsUrl: nats.url,
    makerMongoUrl: mongo.urlOf('maker_executor'),
    jobMongoUrl: mongo.urlOf('job'),
    rpcUrl: chain.rpcUrl,
    exchangesFile: join(folder, 'exchanges.json'),
    seedFile: join(folder, 'seed'),
    treasury: chain.accounts[ACCOUNT_INDEX.treasury]?.address ?? '0x',
  };
  await writeFile(place.exchangesFile, JSON.stringify(chain.exchanges));
  await writeFile(place.seedFile, MNEMONIC, { mode: 0o400 });
  jobs = await JobStandIn.start(place);
});

afterEach(async () => {
  await Promise.all(makers.splice(0).map((maker) => maker.close()));
});

afterAll(async () => {
  await jobs?.stop();
  await Promise.all([mongo?.stop(), nats?.stop(), chain?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

async function make(more: Record<string, string> = {}): Promise<INestMicroservice> {
  const maker = await startMaker(place, more);
  makers.push(maker);
  return maker;
}

interface PaidJob {
  readonly jobId: string;
  readonly depositWei: bigint;
  readonly token: Address;
  readonly wallet: Address;
  readonly payer: Address;
}

/** A job whose wallet holds its deposit, told to the maker. Each has a payer of its own, so that sums can be checked. */
async function paidJob(
  token: Address,
  change: { depositWei?: bigint; returnAddress?: null; walletIndex?: number } = {},
): Promise<PaidJob> {
  const { depositWei = SMALL_DEPOSIT } = change;
  const index = nextIndex++;
  const wallet = keyring.wallet(1000 + index).address;
  const payer = keyring.wallet(2000 + index).address;
  await client.setBalance({ address: wallet, value: depositWei });
  const jobId = newJobId();
  await jobs.activate(jobId, {
    tokenAddress: token,
    walletAddress: wallet,
    walletIndex: change.walletIndex ?? 1000 + index,
    depositWei: depositWei.toString(),
    returnAddress: change.returnAddress === null ? null : payer,
  });
  return { jobId, depositWei, token, wallet, payer };
}

const balance = (address: Address) => client.getBalance({ address });
const tokensOf = ({ token }: PaidJob, address: Address) =>
  client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] });

async function receiptOf({ jobId }: PaidJob): Promise<Receipt> {
  const { receipt } = await jobs.app.get(RequestClient).request(getReceipt, { jobId });
  if (!receipt) throw new Error('no receipt yet');
  return receipt;
}

async function placed(job: PaidJob, count: number): Promise<void> {
  await vi.waitFor(async () => expect((await receiptOf(job)).ordersPlaced).toBeGreaterThanOrEqual(count), eventually);
}

async function ended(job: PaidJob) {
  await vi.waitFor(() => expect(jobs.endings(job.jobId)).toHaveLength(1), eventually);
  return jobs.endings(job.jobId)[0];
}

/** All that must hold of a completed job, read from the chain itself. */
async function expectExactSums(job: PaidJob): Promise<void> {
  const receipt = await receiptOf(job);
  const { lower, upper } = estimateOrders(job.depositWei);
  expect(receipt.ordersPlaced).toBeGreaterThanOrEqual(lower);
  expect(receipt.ordersPlaced).toBeLessThanOrEqual(upper);

  const sums = [receipt.feeWei, receipt.tradedWei, receipt.gasWei, receipt.returnedWei, receipt.heldWei];
  expect(sums.reduce((sum, wei) => sum + BigInt(wei), 0n)).toBe(job.depositWei);
  expect(await balance(job.wallet)).toBe(0n);
  expect(await balance(job.payer)).toBe(BigInt(receipt.returnedWei));
  expect(await tokensOf(job, job.payer)).toBe(BigInt(receipt.tokensBought));
  expect(await tokensOf(job, job.wallet)).toBe(0n);

  const [fee] = receipt.transfers;
  expect(receipt.transfers.map(({ kind, status }) => [kind, status])).toEqual([
    ['fee', 'final'],
    ['delivery', 'final'],
    ['return', 'final'],
  ]);
  expect(fee).toMatchObject({ to: place.treasury, amount: ((job.depositWei * 3n) / 10n).toString() });
  expect((await client.getTransaction({ hash: fee?.transactionHash ?? '0x' })).nonce).toBe(0);
  const used = await client.getTransactionCount({ address: job.wallet });
  expect(used).toBe(receipt.ordersPlaced + receipt.ordersFailed + receipt.transfers.length);
}

describe('a job on real pools', () => {
  it(
    'pays the fee first, buys until the budget is spent, delivers and returns the rest, to the wei (design §§ 2, 4 and 5)',
    async () => {
      await make();
      const treasury = await balance(place.treasury);
      const paid = await Promise.all(
        [chain.tokens.both, chain.tokens.v2Only, chain.tokens.v3Only].map((token) =>
          paidJob(token, { depositWei: DEPOSIT }),
        ),
      );
      for (const job of paid) {
        expect(await ended(job)).toMatchObject({
          kind: 'completed',
          data: { feeWei: ((DEPOSIT * 3n) / 10n).toString() },
        });
        await expectExactSums(job);
      }
      expect((await balance(place.treasury)) - treasury).toBe(((DEPOSIT * 3n) / 10n) * 3n);
      for (const job of paid) await expectEachOrderInItsRange(job);
    },
    RUN_MS * 2,
  );

  async function expectEachOrderInItsRange({ jobId }: PaidJob): Promise<void> {
    const { orders } = await jobs.app.get(RequestClient).request(listOrders, { jobId, limit: 500 });
    expect(orders.map(({ number }) => number)).toEqual(orders.map((_, index) => index + 1));
    for (const order of orders) {
      const cost = BigInt(order.tradeWei) + BigInt(order.gasWei);
      expect(order.status).toBe('final');
      expect(cost).toBeGreaterThanOrEqual(ORDER_COST_MINIMUM_WEI);
      expect(cost).toBeLessThanOrEqual(ORDER_COST_MAXIMUM_WEI);
    }
  }

  it(
    'holds tokens and HYPE for an operator where no return address is known, and says why (design § 4)',
    async () => {
      const maker = await make();
      const job = await paidJob(chain.tokens.both, { returnAddress: null });
      expect(await ended(job)).toMatchObject({
        kind: 'completed',
        data: { returnedWei: '0', deliveredTokens: '0', heldReason: expect.stringMatching(/no return address/) },
      });
      const receipt = await receiptOf(job);
      expect(await balance(job.wallet)).toBe(BigInt(receipt.heldWei));
      expect(await tokensOf(job, job.wallet)).toBe(BigInt(receipt.tokensBought));
      const sums = await maker.get(LedgerRepository).sum(job.jobId);
      expect(expectedBalance(sums)).toBe(BigInt(receipt.heldWei));
    },
    RUN_MS,
  );

  it(
    'fails for want of liquidity, but returns all that is left first (design § 4)',
    async () => {
      await make({ MAKER_LIQUIDITY_TIMEOUT_SECONDS: '2' });
      const job = await paidJob(chain.tokens.thin);
      expect(await ended(job)).toMatchObject({ kind: 'failed', data: { reason: 'liquidity', ordersPlaced: 0 } });
      expect(jobs.pauses(job.jobId)).toEqual(['paused thin_liquidity', 'resumed thin_liquidity']);
      const receipt = await receiptOf(job);
      expect(await balance(job.wallet)).toBe(0n);
      expect(BigInt(receipt.feeWei) + BigInt(receipt.gasWei) + BigInt(receipt.returnedWei)).toBe(job.depositWei);
    },
    RUN_MS,
  );

  it(
    'refuses a wallet that is not of its seed and holds the money (design § 6)',
    async () => {
      await make();
      const job = await paidJob(chain.tokens.both, { walletIndex: 77 });
      expect(await ended(job)).toMatchObject({ kind: 'failed', data: { reason: 'technical', ordersPlaced: 0 } });
      expect(await balance(job.wallet)).toBe(job.depositWei);
      expect((await receiptOf(job)).heldReason).toMatch(/not a wallet of this seed/);
    },
    RUN_MS,
  );
});

describe('gas', () => {
  it(
    'places no order while gas is above 10 gwei and goes on below it, with one event for each change (specification § 9)',
    async () => {
      await make();
      const job = await paidJob(chain.tokens.both);
      await placed(job, 8);
      await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 11n * GWEI });
      await vi.waitFor(() => expect(jobs.pauses(job.jobId)).toContain('paused gas_guardrail'), soon);
      const { ordersPlaced } = await receiptOf(job);
      await vi.waitFor(() => expect(jobs.pauses(job.jobId)).toContain('resumed gas_guardrail'), soon);
      expect((await receiptOf(job)).ordersPlaced).toBe(ordersPlaced);
      await client.setNextBlockBaseFeePerGas({ baseFeePerGas: GWEI / 10n });
      expect(await ended(job)).toMatchObject({ kind: 'completed' });
      await expectExactSums(job);
      expect(jobs.pauses(job.jobId).filter((change) => change.endsWith('gas_guardrail'))).toEqual([
        'paused gas_guardrail',
        'resumed gas_guardrail',
      ]);
    },
    RUN_MS,
  );
});

describe('crashes', () => {
  it(
    'goes on where a dead process stopped, with the same sums (design § 5)',
    async () => {
      const first = await make();
      const job = await paidJob(chain.tokens.both);
      await placed(job, 20);
      makers.splice(makers.indexOf(first), 1);
      await crash(first);
      await make();
      expect(await ended(job)).toMatchObject({ kind: 'completed' });
      await expectExactSums(job);
    },
    RUN_MS,
  );

  it(
    'broadcasts the saved bytes of a process that died between signing and sending (design § 5)',
    async () => {
      const first = await make();
      const job = await paidJob(chain.tokens.both);
      await placed(job, 8);
      Object.assign(first.get(Broadcaster), {
        broadcast: async () => Promise.reject(new Error('the process died here')),
      });
      await vi.waitFor(async () => {
        const { orders } = await jobs.app.get(RequestClient).request(listOrders, { jobId: job.jobId, limit: 500 });
        expect(orders.some(({ status }) => status === 'signed')).toBe(true);
      }, soon);
      makers.splice(makers.indexOf(first), 1);
      await crash(first);
      await make();
      expect(await ended(job)).toMatchObject({ kind: 'completed' });
      await expectExactSums(job);
    },
    RUN_MS,
  );

  it(
    'is harmless with two processes at once: each wallet has one writer (design §§ 5 and 10)',
    async () => {
      await Promise.all([make(), make()]);
      const paid = await Promise.all([paidJob(chain.tokens.both), paidJob(chain.tokens.v2Only)]);
      for (const job of paid) {
        expect(await ended(job)).toMatchObject({ kind: 'completed' });
        await expectExactSums(job);
      }
    },
    RUN_MS,
  );
});
