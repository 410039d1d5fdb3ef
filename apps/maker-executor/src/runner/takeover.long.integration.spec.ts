import { MetricsRegistry } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import { describe, expect, it, vi } from 'vitest';
import { expectExactSums } from '../exact-sums.fixture.ts';
import { stageForFile } from '../maker-stage.fixture.ts';
import { RUN_MS, SOON } from '../stage-times.fixture.ts';
import { Broadcaster } from './broadcaster.ts';

const own = stageForFile();

describe('another process', () => {
  it('continues a dead process’s job with equal sums', { timeout: RUN_MS }, async () => {
    const first = await own.stage.startMaker();
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    await own.stage.placed(job, 8);
    await own.stage.crash(first);
    await own.stage.startMaker();
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    await expectExactSums(own.stage, job);
  });

  it('broadcasts bytes saved before a crash', { timeout: RUN_MS }, async () => {
    const first = await own.stage.startMaker();
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    await own.stage.placed(job, 8);
    const die = () => Promise.reject(new Error('the process died here'));
    Object.assign(first.get(Broadcaster), { broadcast: die });
    const signed = async () => (await own.stage.ordersOf(job)).filter(({ status }) => status === 'signed');
    await vi.waitFor(async () => expect(await signed()).not.toHaveLength(0), SOON);
    const saved = (await signed()).map(({ transactionHash }) => transactionHash);
    await own.stage.crash(first);
    await own.stage.startMaker();
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    await expectExactSums(own.stage, job);
    const mined = (await own.stage.ordersOf(job)).map(({ transactionHash }) => transactionHash);
    expect(mined).toEqual(expect.arrayContaining(saved));
  });

  it('hands a new replica its share of wallets', { timeout: RUN_MS }, async () => {
    // Long enough for the second to start, even on a slow machine.
    const slow = { windowSeconds: 60 };
    const first = await own.stage.startMaker(slow);
    const { both, v2Only } = own.stage.chain.tokens;
    const jobs = await Promise.all([both, v2Only, both, v2Only].map((token) => own.stage.paidJob(token)));
    for (const job of jobs) await own.stage.placed(job, 1);
    const second = await own.stage.startMaker(slow);
    const owned = (maker: INestMicroservice) =>
      maker.get(MetricsRegistry, { strict: false }).getSingleMetricAsString('maker_wallet_owned');
    for (const maker of [first, second]) {
      await vi.waitFor(async () => expect(await owned(maker)).toMatch(/^maker_wallet_owned 2$/m), SOON);
    }
    for (const job of jobs) {
      expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
      await expectExactSums(own.stage, job);
    }
  });

  it('keeps one writer per wallet under contention', { timeout: RUN_MS }, async () => {
    await Promise.all([own.stage.startMaker(), own.stage.startMaker()]);
    const { both, v2Only } = own.stage.chain.tokens;
    for (const job of await Promise.all([own.stage.paidJob(both), own.stage.paidJob(v2Only)])) {
      expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
      await expectExactSums(own.stage, job);
    }
  });
});
