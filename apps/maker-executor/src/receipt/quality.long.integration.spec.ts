import { getReceipt } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { costAt } from '@maker/rules';
import { expect, it } from 'vitest';
import { stageForFile } from '../maker-stage.fixture.ts';
import { RUN_MS } from '../stage-times.fixture.ts';

const own = stageForFile();

it('measures quality on every shape of pool', { timeout: RUN_MS }, async () => {
  await own.stage.startMaker();
  const { v2Only, v3Only, router02Only, camelotOnly, algebraOnly } = own.stage.chain.tokens;
  const jobs = [];
  for (const token of [v2Only, v3Only, router02Only, camelotOnly, algebraOnly])
    jobs.push({ job: await own.stage.paidJob(token), hasFixedFee: token !== algebraOnly });
  for (const { job, hasFixedFee } of jobs) {
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    const { receipt } = await own.stage.jobs.app.get(RequestClient).request(getReceipt, { jobId: job.jobId });
    const quality = receipt?.quality;
    if (!receipt || !quality) throw new Error('nothing was measured');
    const { totalWei, ...parts } = quality.shortfall;
    const { gasWei, serviceFeeWei, impactWei, driftWei, poolFeeWei } = parts;
    const worthWei = costAt(BigInt(receipt.tokensBought), BigInt(quality.arrivalPriceX96));
    const spentWei = BigInt(receipt.tradedWei) + BigInt(receipt.gasWei) + BigInt(receipt.feeWei);
    expect(BigInt(totalWei)).toBe(spentWei - worthWei);
    expect(Object.values(parts).reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(totalWei));
    expect([gasWei, serviceFeeWei]).toEqual([receipt.gasWei, receipt.feeWei]);
    // Without other trades, all price changes are impact, and one swap would have brought the same.
    expect(BigInt(impactWei)).toBeGreaterThan(0n);
    expect(Math.abs(Number(driftWei)) / Number(worthWei)).toBeLessThan(0.0001);
    expect(Number(poolFeeWei) / Number(receipt.tradedWei)).toBeGreaterThan(0.0004);
    // A plugin changes Algebra's fee between orders, from 0.05 to 0.3 % and back: quotes and one swap may have another fee.
    const feeRangeBps = hasFixedFee ? 0 : 25;
    expect(Math.abs(quality.slippageBps)).toBeLessThanOrEqual(feeRangeBps);
    expect(Math.abs(quality.againstSingleSwapBps ?? 100)).toBeLessThanOrEqual(1 + feeRangeBps);
    // The paid amount includes the pool's fee; the average of the pool's price does not.
    expect(quality.againstTwapBps).toBeLessThanOrEqual(0);
  }
});
