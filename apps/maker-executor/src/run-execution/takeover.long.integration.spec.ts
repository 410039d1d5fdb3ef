import { MetricsRegistry } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectExactSums } from '../exact-sums.fixture.ts';
import { MakerStage, RUN_MS, SOON } from '../maker-stage.fixture.ts';
import { Broadcaster } from '../send/broadcaster.ts';

let stage: MakerStage;

beforeAll(async () => {
  stage = await MakerStage.start();
});

afterEach(() => stage.stopMakers());

afterAll(() => stage?.stop());

describe('another process', () => {
  it(
    'goes on where a dead one stopped, with the same sums (design § 5)',
    async () => {
      const first = await stage.startMaker();
      const job = await stage.paidJob(stage.chain.tokens.both);
      await stage.placed(job, 20);
      await stage.crash(first);
      await stage.startMaker();
      expect(await stage.ended(job)).toMatchObject({ kind: 'completed' });
      await expectExactSums(stage, job);
    },
    RUN_MS,
  );

  it(
    'broadcasts the saved bytes of one that died between signing and sending (design § 5)',
    async () => {
      const first = await stage.startMaker();
      const job = await stage.paidJob(stage.chain.tokens.both);
      await stage.placed(job, 8);
      const die = () => Promise.reject(new Error('the process died here'));
      Object.assign(first.get(Broadcaster), { broadcast: die });
      const signed = async () => (await stage.ordersOf(job)).filter(({ status }) => status === 'signed');
      await vi.waitFor(async () => expect(await signed()).not.toHaveLength(0), SOON);
      const saved = (await signed()).map(({ transactionHash }) => transactionHash);
      await stage.crash(first);
      await stage.startMaker();
      expect(await stage.ended(job)).toMatchObject({ kind: 'completed' });
      await expectExactSums(stage, job);
      const mined = (await stage.ordersOf(job)).map(({ transactionHash }) => transactionHash);
      expect(mined).toEqual(expect.arrayContaining(saved));
    },
    RUN_MS,
  );

  it(
    'that joins is handed its share of the wallets, with the same sums (design § 10)',
    async () => {
      // Long enough for the second to start, however slow the machine.
      const slow = { MAKER_EXECUTION_WINDOW_SECONDS: '60' };
      const first = await stage.startMaker(slow);
      const { both, v2Only } = stage.chain.tokens;
      const jobs = await Promise.all([both, v2Only, both, v2Only].map((token) => stage.paidJob(token)));
      for (const job of jobs) await stage.placed(job, 1);
      const second = await stage.startMaker(slow);
      const owned = (maker: INestMicroservice) =>
        maker.get(MetricsRegistry, { strict: false }).getSingleMetricAsString('maker_wallet_owned');
      for (const maker of [first, second]) {
        await vi.waitFor(async () => expect(await owned(maker)).toMatch(/^maker_wallet_owned 2$/m), SOON);
      }
      for (const job of jobs) {
        expect(await stage.ended(job)).toMatchObject({ kind: 'completed' });
        await expectExactSums(stage, job);
      }
    },
    RUN_MS,
  );

  it(
    'at the same time is harmless: each wallet has one writer (design §§ 5 and 10)',
    async () => {
      await Promise.all([stage.startMaker(), stage.startMaker()]);
      const { both, v2Only } = stage.chain.tokens;
      for (const job of await Promise.all([stage.paidJob(both), stage.paidJob(v2Only)])) {
        expect(await stage.ended(job)).toMatchObject({ kind: 'completed' });
        await expectExactSums(stage, job);
      }
    },
    RUN_MS,
  );
});
