import { marketPrice, parseHype } from '@maker/rules';
import type { INestMicroservice } from '@nestjs/common';
import { describe, expect, it, vi } from 'vitest';
import { ChainAccess } from '../chain/chain-access.ts';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { FAST_CLOCK, RUN_MS, SOON } from '../stage-times.fixture.ts';
import { buyAsStranger } from './buy-as-stranger.fixture.ts';

/** Time from a job's start to the published end of its trading, s. */
const TRADING_SECONDS = 600;

const own = stageForFile(FAST_CLOCK);

const tokenOf = () => own.stage.chain.tokens.v2Only;

async function priceNow(maker: INestMicroservice): Promise<bigint> {
  const { market } = maker.get(ChainAccess, { strict: false });
  const question = { minimumLiquidityWei: 0n, budgetWei: parseHype('0.1') };
  const { states } = await market.deepMarket(tokenOf(), question, 0n);
  return marketPrice(states, 0n) ?? 0n;
}

async function jobAt(seenPriceX96: bigint, slotMs = 50): Promise<PaidJob> {
  const plan = await own.stage.plan({ seenPriceX96: `${seenPriceX96}`, slotMs }, { tradingMs: TRADING_SECONDS * 1000 });
  return own.stage.paidJob(tokenOf(), { plan });
}

/** Waits for the pause above the band, then passes the published end of trading. */
async function endAfterPause({ jobId }: PaidJob): Promise<void> {
  await vi.waitFor(() => expect(own.stage.jobs.pauses(jobId)).toEqual(['paused price_band']), SOON);
  await own.stage.client.increaseTime({ seconds: TRADING_SECONDS });
}

/** Buys as a stranger for half of the pool's HYPE. */
async function doublePrice(maker: INestMicroservice): Promise<void> {
  const { market } = maker.get(ChainAccess, { strict: false });
  const [deepest] = await market.survey(tokenOf(), 1n);
  if (!deepest) throw new Error('the token has no pool');
  await buyAsStranger(own.stage, maker, tokenOf(), deepest.liquidityWei / 2n);
}

describe('a seen price that only token-validation reported (docs/adr/0114)', () => {
  it('costs no fee if ten times too low', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker();
    const before = await own.stage.balance(own.stage.treasury);
    const job = await jobAt((await priceNow(maker)) / 10n);
    await endAfterPause(job);
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'failed', data: { ordersPlaced: 0 } });
    expect(await own.stage.balance(own.stage.treasury)).toBe(before);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    expect(await own.stage.balance(job.payer)).toBeGreaterThan((job.depositWei * 99n) / 100n);
  });

  it('allows at most two bands if ten times too high', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker();
    const job = await jobAt(10n * (await priceNow(maker)), 20_000);
    await own.stage.placed(job, 1);
    await doublePrice(maker);
    await endAfterPause(job);
    await own.stage.ended(job);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
  });
});
