import { parseHype } from '@maker/rules';
import { expect, it, vi } from 'vitest';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { RUN_MS, SOON } from '../stage-times.fixture.ts';

const DEPOSIT = parseHype('0.25');
const TENTH_OF_GWEI = 100_000_000n;

const own = stageForFile({ blockSeconds: 0 });

/** Mines block after block at one base fee until something holds. */
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

// The plan's own counts at these prices are held to by libs/rules; here it is that the orders really follow them. Cheaper gas, where
// orders are many: tests/system/dear-gas.long.
it.each([
  [60, 42, 48],
  [99, 22, 27],
])('completes at %d tenths of a gwei, %d to %d orders', { timeout: RUN_MS * 2 }, async (tenths, least, most) => {
  await own.stage.startMaker();
  // An order is in a block before the next is due, as in a day: what is under way counts with the most that it may cost.
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
