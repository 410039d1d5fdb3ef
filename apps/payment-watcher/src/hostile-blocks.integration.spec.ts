import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { HostileBlocks, TOLD_WITHIN_MS } from './hostile-blocks.fixture.ts';

let blocks: HostileBlocks;

beforeAll(async () => {
  blocks = await HostileBlocks.start();
});
afterAll(() => blocks?.stop());
afterEach(() => blocks.stopWatchers());

describe('calldata that names watched addresses', () => {
  it('tells an honest payment within 2 s of a block with 21,900 mentions', async () => {
    await blocks.watch();
    const [honest, ...named] = await blocks.watchedJobs(301);
    const addresses = named.map(({ address }) => address);
    for (let transaction = 0; transaction < 73; transaction++) await blocks.name(addresses);
    await blocks.mine();
    expect(await blocks.transactionsOfHead()).toBe(73);
    expect(await blocks.payAndWait(honest as NonNullable<typeof honest>)).toBeLessThan(TOLD_WITHIN_MS);
    await blocks.setNextBlockTime((named[0]?.deadlineMs ?? 0) + 1000);
    await vi.waitFor(
      async () => {
        await blocks.mine();
        expect(named.filter(({ jobId }) => blocks.job.passed(jobId).length === 0)).toEqual([]);
      },
      { timeout: 60_000, interval: 200 },
    );
  }, 120_000);
});
