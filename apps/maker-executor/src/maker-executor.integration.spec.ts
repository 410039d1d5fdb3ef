import { expectedBalance } from '@maker/execution-records';
import { ORDER_COST_MAXIMUM_WEI, ORDER_COST_MINIMUM_WEI } from '@maker/rules';
import { MetricsRegistry } from '@maker/service-kit';
import { describe, expect, it, vi } from 'vitest';
import { MakerDatabase } from './database.ts';
import { expectExactSums } from './exact-sums.fixture.ts';
import { type MakerStage, type PaidJob, stageForFile } from './maker-stage.fixture.ts';
import { FAST_CLOCK, RUN_MS, SOON } from './stage-times.fixture.ts';

const GWEI = 1_000_000_000n;

type Maker = Awaited<ReturnType<MakerStage['startMaker']>>;

const own = stageForFile(FAST_CLOCK);

async function expectEachOrderInItsRange(job: PaidJob): Promise<void> {
  const orders = await own.stage.ordersOf(job);
  expect(orders.map(({ number }) => number)).toEqual(orders.map((_, index) => index + 1));
  for (const { status, tradeWei } of orders) {
    expect(status).toBe('final');
    expect(BigInt(tradeWei)).toBeGreaterThanOrEqual(ORDER_COST_MINIMUM_WEI);
    expect(BigInt(tradeWei)).toBeLessThanOrEqual(ORDER_COST_MAXIMUM_WEI);
  }
}

/** Checks the number of measured waits, on which the service levels depend. */
async function expectTimed(maker: Maker, waits: { firstOrders: number; returns: number }): Promise<void> {
  await vi.waitFor(async () => {
    const metrics = await maker.get(MetricsRegistry).metrics();
    expect(metrics).toMatch(
      new RegExp(`^maker_execution_first_order_seconds_count(\\{.*\\})? ${waits.firstOrders}$`, 'm'),
    );
    expect(metrics).toMatch(new RegExp(`^maker_execution_return_seconds_count(\\{.*\\})? ${waits.returns}$`, 'm'));
  }, SOON);
}

describe('jobs on real pools', () => {
  it('complete on every shape, to the wei', { timeout: RUN_MS * 2 }, async () => {
    const names = ['both', 'v2Only', 'v3Only', 'camelotOnly', 'router02Only', 'algebraOnly'] as const;
    const maker = await own.stage.startMaker();
    const before = await own.stage.balance(own.stage.treasury);
    const paid = await Promise.all(names.map((name) => own.stage.paidJob(own.stage.chain.tokens[name])));
    const fee = ((paid[0]?.depositWei ?? 0n) * 3n) / 10n;
    for (const job of paid) {
      expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed', data: { feeWei: fee.toString() } });
      await expectExactSums(own.stage, job);
      await expectEachOrderInItsRange(job);
    }
    expect((await own.stage.balance(own.stage.treasury)) - before).toBe(fee * BigInt(names.length));
    await expectTimed(maker, { firstOrders: names.length, returns: names.length });
  });

  it('holds everything without a return address', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker();
    const job = await own.stage.paidJob(own.stage.chain.tokens.both, { returnAddress: null });
    expect(await own.stage.ended(job)).toMatchObject({
      kind: 'completed',
      data: { returnedWei: '0', deliveredTokens: '0', heldReason: expect.stringMatching(/no return address/) },
    });
    const receipt = await own.stage.receiptOf(job);
    expect(await own.stage.balance(job.wallet)).toBe(BigInt(receipt.heldWei));
    expect(await own.stage.tokensOf(job, job.wallet)).toBe(BigInt(receipt.tokensBought));
    const sums = await maker.get(MakerDatabase).ledger.sum(job.jobId);
    expect(expectedBalance(sums)).toBe(BigInt(receipt.heldWei));
    await expectTimed(maker, { firstOrders: 1, returns: 0 });
  });

  it('fails for liquidity and returns the rest first', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ MAKER_LIQUIDITY_TIMEOUT_SECONDS: '2' });
    const job = await own.stage.paidJob(own.stage.chain.tokens.thin);
    expect(await own.stage.ended(job)).toMatchObject({
      kind: 'failed',
      data: { reason: 'liquidity', ordersPlaced: 0 },
    });
    const pauses = ['paused thin_liquidity', 'resumed thin_liquidity'];
    await vi.waitFor(() => expect(own.stage.jobs.pauses(job.jobId)).toEqual(pauses), SOON);
    const receipt = await own.stage.receiptOf(job);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    expect(BigInt(receipt.feeWei) + BigInt(receipt.gasWei) + BigInt(receipt.returnedWei)).toBe(job.depositWei);
  });

  it('refuses a wallet of another seed', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const job = await own.stage.paidJob(own.stage.chain.tokens.both, { walletIndex: 77 });
    expect(await own.stage.ended(job)).toMatchObject({
      kind: 'failed',
      data: { reason: 'technical', ordersPlaced: 0 },
    });
    expect(await own.stage.balance(job.wallet)).toBe(job.depositWei);
    expect((await own.stage.receiptOf(job)).heldReason).toMatch(/not a wallet of this seed/);
  });
});

describe('gas', () => {
  it('pauses above 10 gwei and resumes below it', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ windowSeconds: 50 });
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    const guardrail = () => own.stage.jobs.pauses(job.jobId).filter((change) => change.endsWith('gas_guardrail'));
    await own.stage.placed(job, 4);
    // So far above that it stays there: it falls by an eighth a block, and just below 10 gwei orders would be merged.
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1000n * GWEI });
    await vi.waitFor(() => expect(guardrail()).toEqual(['paused gas_guardrail']), SOON);
    const { ordersPlaced } = await own.stage.receiptOf(job);
    await own.stage.blocksPass(4);
    expect((await own.stage.receiptOf(job)).ordersPlaced).toBe(ordersPlaced);
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: GWEI / 10n });
    await vi.waitFor(() => expect(guardrail()).toContain('resumed gas_guardrail'), SOON);
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    await expectExactSums(own.stage, job);
    expect(guardrail()).toEqual(['paused gas_guardrail', 'resumed gas_guardrail']);
  });
});
