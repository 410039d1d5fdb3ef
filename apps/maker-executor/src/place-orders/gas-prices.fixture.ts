import { parseHype } from '@maker/rules';
import { expect, vi } from 'vitest';
import { type MakerStage, RUN_MS } from '../maker-stage.fixture.ts';

/** What a job pays whose orders are counted at a gas price. */
export const DEPOSIT = parseHype('0.25');
const TENTH_OF_GWEI = 100_000_000n;

/** Mines block after block at one base fee until something holds. @param tenths of a gwei */
export async function mineAt(
  stage: MakerStage,
  tenths: number,
  holds: () => Promise<void> | void,
  timeout = RUN_MS * 2,
): Promise<void> {
  await vi.waitFor(
    async () => {
      await stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: BigInt(tenths) * TENTH_OF_GWEI });
      await stage.client.mine({ blocks: 1, interval: 1 });
      await holds();
    },
    { timeout, interval: 100 },
  );
}

/** A job of 0.25 HYPE completes at this gas price, its sums to the wei. @returns how many orders it placed */
export async function ordersAt(stage: MakerStage, tenths: number): Promise<number> {
  await stage.startMaker();
  const job = await stage.paidJob(stage.chain.tokens.both, { depositWei: DEPOSIT, plan: await stage.plan() });
  await mineAt(stage, tenths, () => expect(stage.jobs.endings(job.jobId)).toHaveLength(1));
  expect(stage.jobs.endings(job.jobId)).toMatchObject([{ kind: 'completed' }]);
  const receipt = await stage.receiptOf(job);
  const sums = [receipt.feeWei, receipt.tradedWei, receipt.gasWei, receipt.returnedWei, receipt.heldWei];
  expect(sums.reduce((sum, wei) => sum + BigInt(wei), 0n)).toBe(DEPOSIT);
  expect(await stage.balance(job.payer)).toBe(BigInt(receipt.returnedWei));
  expect(await stage.balance(job.wallet)).toBe(0n);
  return receipt.ordersPlaced;
}
