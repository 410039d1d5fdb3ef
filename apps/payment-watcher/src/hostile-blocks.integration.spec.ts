import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { HostileBlocks, startCountingNode, TOLD_WITHIN_MS, type WatchedJob } from './hostile-blocks.fixture.ts';

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

describe('payments of one wei inside a call', () => {
  it('tells an honest payment within 2 s, and asks no node for their senders', async () => {
    const node = await startCountingNode(blocks.rpcUrl);
    await blocks.watch(node.url);
    const [honest, ...dusted] = await blocks.watchedJobs(801);
    const before = node.requests;
    await blocks.sprinkle(dusted.map(({ address }) => address));
    await blocks.mine();
    expect(await blocks.payAndWait(honest as WatchedJob)).toBeLessThan(TOLD_WITHIN_MS);
    await blocks.mine();
    await blocks.scannedToHead();
    // Polls for the next block are among them.
    expect(node.requests - before).toBeLessThan(1000);
    await blocks.stopWatchers();
    await node.stop();
  }, 120_000);

  it('tells an honest payment within 2 s where the endpoint allows 1,000 requests a minute', async () => {
    await blocks.watch(undefined, { CHAIN_RPC_REQUESTS_PER_MINUTE: [1000] });
    await blocks.mineEvery(1);
    const [honest, ...dusted] = await blocks.watchedJobs(51, { mines: false });
    for (let block = 0; block < 3; block++) {
      await blocks.sprinkle(dusted.map(({ address }) => address));
      await blocks.nextBlock();
    }
    expect(await blocks.payInNextBlock(honest as WatchedJob)).toBeLessThan(TOLD_WITHIN_MS);
    await blocks.mineEvery(0);
  }, 120_000);
});
