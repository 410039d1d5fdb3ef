import { ORDER_COST_MINIMUM_WEI } from '@maker/rules';
import { type Address, parseEther } from 'viem';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { PATIENT, stageForFile } from '../watcher-stage.fixture.ts';

const stage = stageForFile();
const { mine, minedUntil, pay, stopWatchers, sumReceived, twoPolls, watch, watchedJob } = stage;

describe('a watcher at a deadline', () => {
  beforeEach(async () => {
    await watch();
  });
  afterEach(stopWatchers);

  it('credits before the deadline, then reports it once', async () => {
    const { jobId, address, deadlineMs } = await watchedJob();
    await stage.client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000) });
    await pay(address, '0.5');
    await stage.client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + 1) });
    await minedUntil(() => stage.job.passed(jobId).length > 0);
    // An address past its deadline is due at a later time of the chain.
    await stage.client.setBlockTimestampInterval({ interval: 1 });
    await twoPolls();
    await stage.client.removeBlockTimestampInterval();
    expect(stage.job.received(jobId)).toMatchObject([
      { kind: 'transfer', blockAt: new Date(deadlineMs).toISOString() },
    ]);
    expect(stage.job.passed(jobId)).toHaveLength(1);
    expect(stage.job.passed(jobId)[0]?.receivedWei).toBe(parseEther('0.5').toString());
    expect(Date.parse(stage.job.passed(jobId)[0]?.blockAt ?? '')).toBeGreaterThan(deadlineMs);
  });

  it('reads the balance once more after the deadline', async () => {
    await stopWatchers();
    await watch(3600);
    const { jobId, address, deadlineMs } = await watchedJob();
    await stage.client.setBalance({ address, value: parseEther('0.5') });
    await mine();
    await stage.client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + 100) });
    await minedUntil(() => stage.job.passed(jobId).length > 0);
    expect(stage.job.received(jobId)).toMatchObject([{ kind: 'balance', blockAt: new Date(deadlineMs).toISOString() }]);
    expect(stage.job.passed(jobId)[0]?.receivedWei).toBe(parseEther('0.5').toString());
  });

  it('credits late money as late', async () => {
    const { jobId, address, deadlineMs } = await watchedJob();
    await stage.client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + 1) });
    await pay(address, '0.5');
    await minedUntil(() => stage.job.passed(jobId).length > 0);
    expect(stage.job.passed(jobId)[0]?.receivedWei).toBe('0');
    expect(sumReceived(jobId)).toBe(parseEther('0.5'));
  });

  it('watches for 24 h after a job’s end', async () => {
    const { jobId, address } = await watchedJob();
    await stage.job.changeStatus(jobId, 'pending_payment', 'cancelled');
    await pay(address, '0.5');
    await minedUntil(() => stage.job.received(jobId).length > 0);
    expect(sumReceived(jobId)).toBe(parseEther('0.5'));
  });

  it('reads abandoned addresses less often and once finally', async () => {
    const { jobId, address, deadlineMs } = await watchedJob();
    const key = address.toLowerCase() as Address;
    const after = async (minutes: number) => {
      await stage.client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + minutes * 60) });
      await mine();
    };
    const watchNow = async () => (await stage.watchers[0]?.get(WatchesRepository).findMany([key]))?.get(key);
    await after(1);
    await minedUntil(() => stage.job.passed(jobId).length > 0);
    await stage.job.changeStatus(jobId, 'pending_payment', 'payment_expired');
    await after(100);
    await watchedJob();
    await twoPolls();
    const readAt = (await watchNow())?.readAt;
    expect(readAt?.getTime()).toBeGreaterThanOrEqual(deadlineMs + 100 * 60_000);
    // The next poll is due after an eighth of the hundred minutes.
    await after(111);
    await watchedJob();
    await twoPolls();
    expect((await watchNow())?.readAt).toEqual(readAt);
    await stage.client.setBalance({ address, value: ORDER_COST_MINIMUM_WEI });
    await after(24 * 60 + 30);
    await minedUntil(() => stage.job.received(jobId).length > 0);
    await vi.waitFor(async () => {
      await mine();
      expect(await watchNow()).toBeUndefined();
    }, PATIENT);
    expect(sumReceived(jobId)).toBe(ORDER_COST_MINIMUM_WEI);
  }, 150_000);
});
