import { HeadFeed } from '@maker/chain';
import { PRICE_SCALE, parseHype } from '@maker/rules';
import { type Address, encodeAbiParameters, type Hex, keccak256, pad, toHex } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import { ChainAccess } from '../chain/chain-access.ts';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { FAST_CLOCK, RUN_MS, SOON } from '../stage-times.fixture.ts';
import { buyAsStranger } from './buy-as-stranger.fixture.ts';

/** Time from a job's start to the published end of its trading, s. */
const TRADING_SECONDS = 600;
const TRADING = { tradingMs: TRADING_SECONDS * 1000 };

/** Storage slot of the balances in a demo token. */
const BALANCES_SLOT = 3n;

const own = stageForFile(FAST_CLOCK);

const untilPublishedEnd = () => own.stage.client.increaseTime({ seconds: TRADING_SECONDS });

/** Checks that the payer has all money except fee, trades and gas, and all tokens that could be delivered. */
async function expectAllReturned(job: PaidJob): Promise<void> {
  const receipt = await own.stage.receiptOf(job);
  const sums = [receipt.feeWei, receipt.tradedWei, receipt.gasWei, receipt.returnedWei];
  expect(sums.reduce((sum, wei) => sum + BigInt(wei), 0n)).toBe(job.depositWei);
  expect(await own.stage.balance(job.wallet)).toBe(0n);
  expect(await own.stage.balance(job.payer)).toBe(BigInt(receipt.returnedWei));
}

/** Replaces the token's code while a function runs. */
async function withCodeOf(token: Address, other: Address, run: () => Promise<void>): Promise<void> {
  const code = (await own.stage.client.getCode({ address: token })) as Hex;
  await own.stage.client.setCode({
    address: token,
    bytecode: (await own.stage.client.getCode({ address: other })) as Hex,
  });
  try {
    await run();
  } finally {
    await own.stage.client.setCode({ address: token, bytecode: code });
  }
}

describe('an order is priced at the head (design § 4a)', () => {
  it('checks again before signing if the chain advanced', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker();
    const { client, market } = maker.get(ChainAccess, { strict: false });
    const feed = maker.get(HeadFeed, { strict: false });
    const token = own.stage.chain.tokens.v2Only;
    const routers = market.exchanges.map(({ router }) => router);
    const estimateGas = client.estimateGas;
    let moved = false;
    // The endpoint answers the first order's gas estimate late; meanwhile a stranger buys a fiftieth of the pool.
    const slow = vi.spyOn(client, 'estimateGas').mockImplementation(async (asked) => {
      const gas = await estimateGas(asked);
      if (moved || !routers.some((router) => router === asked.to)) return gas;
      moved = true;
      await buyAsStranger(own.stage, maker, token, parseHype('60'));
      const bought = Number(await own.stage.client.getBlockNumber());
      await vi.waitFor(() => expect(feed.head?.number).toBeGreaterThan(bought + 2), SOON);
      return gas;
    });
    const job = await own.stage.paidJob(token, { plan: await own.stage.plan({ slotMs: 2000 }) });
    await own.stage.placed(job, 1);
    slow.mockRestore();
    const [first] = await own.stage.ordersOf(job);
    expect(moved).toBe(true);
    expect(first).toMatchObject({ number: 1, status: expect.stringMatching('mined|final') });
    // Without other trades after that, it brings the quoted amount.
    expect(Number(first?.tokensBought) / Number(first?.quotedTokens)).toBeCloseTo(1, 4);
  });
});

describe('bought tokens are measured on arrival (design § 4a)', () => {
  it('loses only open orders to a new tax', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const { v3Only, taxed } = own.stage.chain.tokens;
    const plan = await own.stage.plan({ slotMs: 2000 });
    const job = await own.stage.paidJob(v3Only, { plan });
    await own.stage.placed(job, 4);
    const { ordersPlaced } = await own.stage.receiptOf(job);
    await withCodeOf(v3Only, taxed, async () => {
      expect(await own.stage.ended(job)).toMatchObject({ kind: 'failed', data: { reason: 'technical' } });
    });
    const receipt = await own.stage.receiptOf(job);
    // Open are the orders of one block, and those of the block in which the executor reads the first short one.
    expect(receipt.ordersPlaced - ordersPlaced).toBeLessThanOrEqual(24);
    expect(receipt.ordersPlaced).toBeLessThan(receipt.plannedOrders);
    await expectAllReturned(job);
  });

  it('ends the job for a token that overstates balances', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const job = await own.stage.paidJob(own.stage.chain.tokens.v3Only, {
      plan: await own.stage.plan({ slotMs: 2000 }),
    });
    await own.stage.placed(job, 4);
    const key = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [job.wallet, BALANCES_SLOT]);
    await own.stage.client.setStorageAt({ address: job.token, index: keccak256(key), value: pad(toHex(1n)) });
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'failed', data: { reason: 'technical' } });
    expect((await own.stage.receiptOf(job)).ordersPlaced).toBeLessThan(40);
    await expectAllReturned(job);
  });
});

describe('every pause has an end (design § 4 End)', () => {
  it('waits above the band until the published end', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const seenPriceX96 = (PRICE_SCALE / 10n ** 12n).toString();
    const plan = await own.stage.plan({ seenPriceX96 }, TRADING);
    const job = await own.stage.paidJob(own.stage.chain.tokens.both, { plan });
    await vi.waitFor(() => expect(own.stage.jobs.pauses(job.jobId)).toEqual(['paused price_band']), SOON);
    await untilPublishedEnd();
    expect(await own.stage.ended(job)).toMatchObject({
      kind: 'failed',
      data: { reason: 'liquidity', ordersPlaced: 0 },
    });
    await expectAllReturned(job);
    const receipt = await own.stage.receiptOf(job);
    expect(receipt.pauses).toMatchObject([{ reason: 'price_band', until: expect.any(String) }]);
    expect(receipt).toMatchObject({ rules: { ...plan, orderLifeSeconds: 120 }, ending: { kind: 'liquidity' } });
  });

  it('delivers and returns at the published end', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const plan = await own.stage.plan({ slotMs: 10_000 }, TRADING);
    const job = await own.stage.paidJob(own.stage.chain.tokens.both, { plan });
    await own.stage.placed(job, 2);
    await untilPublishedEnd();
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    const receipt = await own.stage.receiptOf(job);
    expect(receipt.ordersPlaced).toBeGreaterThan(0);
    expect(receipt.ordersPlaced).toBeLessThan(20);
    expect(await own.stage.tokensOf(job, job.payer)).toBe(BigInt(receipt.tokensBought));
    await expectAllReturned(job);
    for (const order of await own.stage.ordersOf(job)) {
      const [received, least, quoted] = [order.tokensBought, order.minimumTokens, order.quotedTokens].map(Number);
      expect(received).toBeGreaterThanOrEqual(least ?? Number.POSITIVE_INFINITY);
      expect(quoted).toBeGreaterThan(least ?? 0);
      expect(order).toMatchObject({ merged: 1, priceX96: expect.stringMatching(/^[1-9]\d*$/) });
    }
  });
});
