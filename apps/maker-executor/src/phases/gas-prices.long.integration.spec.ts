import { parseHype } from '@maker/rules';
import { expect, it, vi } from 'vitest';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { RUN_MS, SOON } from '../stage-times.fixture.ts';

const DEPOSIT = parseHype('0.25');
const TENTH_OF_GWEI = 100_000_000n;

const own = stageForFile({ blockSeconds: 0 });

/** Mines blocks at one base fee until an assertion holds. */
async function mineAt(tenths: number, holds: () => Promise<void> | void, timeout = RUN_MS * 2): Promise<void> {
  await vi.waitFor(
    async () => {
      await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: BigInt(tenths) * TENTH_OF_GWEI });
      await own.stage.client.mine({ blocks: 1, interval: 1 });
      await holds();
    },
    { timeout, interval: 100 },
  );
}

const hasEnded = (job: PaidJob) => () => expect(own.stage.jobs.endings(job.jobId)).toHaveLength(1);

// libs/rules tests the plan's counts at these prices; this test checks that the orders follow them. tests/system/dear-gas.long has
// cheaper gas, at which orders are many.
it.each([
  [60, 42, 48],
  [99, 22, 27],
])('%d × 0.1 gwei: %d to %d orders', { timeout: RUN_MS * 2 }, async (tenths, least, most) => {
  await own.stage.startMaker();
  // As in a real day, each order is in a block before the next is due: an open order counts with its maximum cost.
  const plan = await own.stage.plan({ slotMs: 1000 });
  const job = await own.stage.paidJob(own.stage.chain.tokens.both, { depositWei: DEPOSIT, plan });
  await mineAt(tenths, hasEnded(job));
  expect(own.stage.jobs.endings(job.jobId)).toMatchObject([{ kind: 'completed' }]);
  const receipt = await own.stage.receiptOf(job);
  expect(receipt.ordersPlaced).toBeGreaterThanOrEqual(least);
  expect(receipt.ordersPlaced).toBeLessThanOrEqual(most);
  const sums = [receipt.feeWei, receipt.tradedWei, receipt.gasWei, receipt.returnedWei, receipt.heldWei];
  expect(sums.reduce((sum, wei) => sum + BigInt(wei), 0n)).toBe(DEPOSIT);
  expect(await own.stage.balance(job.payer)).toBe(BigInt(receipt.returnedWei));
  expect(await own.stage.balance(job.wallet)).toBe(0n);
});

it('pauses above 10 gwei and continues at 10', { timeout: RUN_MS }, async () => {
  await own.stage.startMaker();
  const job = await own.stage.paidJob(own.stage.chain.tokens.both, { plan: await own.stage.plan() });
  await mineAt(1, async () => expect((await own.stage.receiptOf(job)).ordersPlaced).toBeGreaterThan(0), SOON.timeout);
  const pauses = () => own.stage.jobs.pauses(job.jobId);
  await mineAt(101, () => expect(pauses()).toEqual(['paused gas_guardrail']), SOON.timeout);
  expect((await own.stage.receiptOf(job)).paused).toMatchObject({ reason: 'gas_guardrail' });
  await mineAt(100, () => expect(pauses()).toContain('resumed gas_guardrail'), SOON.timeout);
});
