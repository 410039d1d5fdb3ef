import type { Address, Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { expectExactSums } from './exact-sums.fixture.ts';
import { type PaidJob, stageForFile } from './maker-stage.fixture.ts';
import { FAST_CLOCK, RUN_MS } from './stage-times.fixture.ts';

const own = stageForFile(FAST_CLOCK);

describe('an exchange that still quotes but cannot swap (hyperevm § 2.0)', () => {
  /** Returns an exchange's router, and the selector of the swap that orders call. */
  function swapOf(exchange: string): { router: Address; selector: string } {
    const { v2Router, v3Router } = own.stage.chain.contracts;
    return exchange === 'uniswap-v2'
      ? { router: v2Router, selector: 'b6f9de95' }
      : { router: v3Router, selector: '414bf389' };
  }

  /** Removes the selector from the router's code while a function runs. */
  async function withoutSwap(exchange: string, run: () => Promise<void>): Promise<void> {
    const { router, selector } = swapOf(exchange);
    const code = (await own.stage.client.getCode({ address: router })) as Hex;
    const without = code.replaceAll(`63${selector}`, '63deadbeef') as Hex;
    expect(without).not.toBe(code);
    await own.stage.client.setCode({ address: router, bytecode: without });
    try {
      await run();
    } finally {
      await own.stage.client.setCode({ address: router, bytecode: code });
    }
  }

  /** Returns the exchanges that filled the job's orders. */
  async function filledOn(job: PaidJob): Promise<string[]> {
    const filled = (await own.stage.ordersOf(job)).filter(({ status }) => status === 'final');
    return [...new Set(filled.map(({ exchange }) => exchange))];
  }

  it('is replaced by the next best during the job', { timeout: RUN_MS * 2 }, async () => {
    await own.stage.startMaker({ windowSeconds: 50 });
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    // Waits for a filled order: unconfirmed ones revert once the swap is gone.
    await expect.poll(() => filledOn(job), { timeout: RUN_MS }).toHaveLength(1);
    const [best] = await filledOn(job);
    await withoutSwap(best ?? '', async () => {
      expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    });
    await expectExactSums(own.stage, job);
    expect((await filledOn(job)).sort()).toEqual(['uniswap-v2', 'uniswap-v3']);
  });

  it('ends the job when it was the only one', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ windowSeconds: 250, MAKER_LIQUIDITY_TIMEOUT_SECONDS: '3' });
    const job = await own.stage.paidJob(own.stage.chain.tokens.v2Only);
    await own.stage.placed(job, 2);
    await withoutSwap('uniswap-v2', async () => {
      expect(await own.stage.ended(job)).toMatchObject({ kind: 'failed', data: { reason: 'liquidity' } });
    });
    const receipt = await own.stage.receiptOf(job);
    const sums = [receipt.feeWei, receipt.tradedWei, receipt.gasWei, receipt.returnedWei];
    expect(sums.reduce((sum, wei) => sum + BigInt(wei), 0n)).toBe(job.depositWei);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    expect(await own.stage.balance(job.payer)).toBe(BigInt(receipt.returnedWei));
    expect(await own.stage.tokensOf(job, job.payer)).toBe(BigInt(receipt.tokensBought));
  });
});
