import { ORDER_COST_MINIMUM_WEI } from '@maker/rules';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { FaultyNode } from '../../../libs/chain/src/endpoints/faulty-node.fixture.ts';
import { fillBlock } from './fill-block.fixture.ts';
import { HostileBlocks, REPORTED_WITHIN_MS, type WatchedJob } from './hostile-blocks.fixture.ts';

let blocks: HostileBlocks;

beforeAll(async () => {
  blocks = await HostileBlocks.start();
});
afterAll(() => blocks?.stop());
afterEach(() => blocks.stopWatchers());

describe('calldata that names watched addresses', () => {
  it('reports a payment within 2 s of 21,900 mentions', async () => {
    await blocks.watch();
    const [honest, ...named] = await blocks.watchedJobs(301);
    const addresses = named.map(({ address }) => address);
    for (let transaction = 0; transaction < 73; transaction++) await blocks.name(addresses);
    await blocks.mine();
    expect(await blocks.transactionsOfHead()).toBe(73);
    expect(await blocks.payAndWait(honest as NonNullable<typeof honest>)).toBeLessThan(REPORTED_WITHIN_MS);
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

describe('payments of one wei', () => {
  it('keeps one row a day and records no event', async () => {
    await blocks.watch();
    const [dusted, honest] = await blocks.watchedJobs(2);
    const { jobId, address } = dusted as WatchedJob;
    const before = await blocks.documents();
    for (let block = 0; block < 3; block++) {
      for (let payment = 0; payment < 100; payment++) await blocks.send(address, 1n);
      await blocks.sprinkle([address]);
      await blocks.mine();
      await blocks.scannedToHead();
    }
    expect(await blocks.payAndWait(honest as WatchedJob)).toBeLessThan(REPORTED_WITHIN_MS);
    await blocks.mine();
    await vi.waitFor(async () => expect((await blocks.job.credited(jobId)).dustWei).toBe('303'), 10_000);
    expect(blocks.job.received(jobId)).toEqual([]);
    expect(blocks.job.seen(jobId)).toEqual([]);
    const added = { deposits: 1, dust: 1, outbox: expect.any(Number) };
    const after = await blocks.documents();
    // The consumer saves its event cursor from time to time.
    const grown = Object.entries(after).filter(
      ([name, count]) => name !== 'event_cursors' && count > (before[name] ?? 0),
    );
    expect(Object.fromEntries(grown.map(([name, count]) => [name, count - (before[name] ?? 0)]))).toEqual(added);
    // Two events of the honest payment: seen and credited.
    expect((after.outbox ?? 0) - (before.outbox ?? 0)).toBeLessThanOrEqual(2);
  });

  it('becomes one deposit at the deadline', async () => {
    await blocks.watch();
    const [dusted] = await blocks.watchedJobs(1);
    const { jobId, address, deadlineMs } = dusted as WatchedJob;
    for (let payment = 0; payment < 5; payment++) await blocks.send(address, 1n);
    await blocks.mine();
    await blocks.scannedToHead();
    await blocks.setNextBlockTime(deadlineMs + 1000);
    await vi.waitFor(async () => {
      await blocks.send(address, 1n);
      await blocks.mine();
      await blocks.scannedToHead();
      expect(blocks.job.passed(jobId)).toHaveLength(1);
    }, 30_000);
    const [received] = blocks.job.received(jobId);
    expect(blocks.job.received(jobId)).toHaveLength(1);
    expect(BigInt(received?.amountWei ?? 0)).toBeGreaterThanOrEqual(5n);
    expect(blocks.job.passed(jobId)[0]?.receivedWei).toBe(received?.amountWei);
    expect(blocks.job.seen(jobId)).toEqual([]);
  }, 60_000);

  it('becomes a deposit when it covers an order', async () => {
    await blocks.watch();
    const [dusted] = await blocks.watchedJobs(1);
    const { jobId, address } = dusted as WatchedJob;
    const part = ORDER_COST_MINIMUM_WEI / 2n;
    for (let payment = 0; payment < 3; payment++) {
      await blocks.send(address, part);
      await blocks.mine();
      await blocks.scannedToHead();
    }
    await vi.waitFor(async () => {
      await blocks.mine();
      expect(blocks.job.received(jobId)).toMatchObject([{ kind: 'balance', amountWei: (2n * part).toString() }]);
    }, 20_000);
    expect((await blocks.job.credited(jobId)).dustWei).toBe(part.toString());
  });
});

// These tests leave hundreds of jobs whose deadlines pass in later tests.
describe('payments of one wei inside a call', () => {
  it('reports a payment within 2 s without node lookups', async () => {
    const node = await FaultyNode.start(blocks.rpcUrl);
    await blocks.watch(node.url);
    const [honest, ...dusted] = await blocks.watchedJobs(801);
    const before = node.calls.length;
    await blocks.sprinkle(dusted.map(({ address }) => address));
    await blocks.mine();
    expect(await blocks.payAndWait(honest as WatchedJob)).toBeLessThan(REPORTED_WITHIN_MS);
    await blocks.mine();
    await blocks.scannedToHead();
    // The calls include polls for the next block.
    expect(node.calls.length - before).toBeLessThan(1000);
    await blocks.stopWatchers();
    await node.stop();
  }, 120_000);

  it('reports a payment within 2 s at 1,000 requests/min', async () => {
    await blocks.watch(undefined, { CHAIN_RPC_REQUESTS_PER_MINUTE: [1000] });
    await blocks.mineEvery(1);
    const [honest, ...dusted] = await blocks.watchedJobs(51, { mines: false });
    for (let block = 0; block < 3; block++) {
      await blocks.sprinkle(dusted.map(({ address }) => address));
      await blocks.nextBlock();
    }
    expect(await blocks.payInNextBlock(honest as WatchedJob)).toBeLessThan(REPORTED_WITHIN_MS);
    await blocks.mineEvery(0);
  }, 120_000);
});

it('reports each payment within 2 s under full attack', async () => {
  await blocks.watch();
  const own = await blocks.watchedJobs(300);
  for (const honest of await blocks.watchedJobs(3)) {
    await fillBlock(blocks, own, false);
    await blocks.mine();
    await fillBlock(blocks, own, false);
    expect(await blocks.payAndWait(honest)).toBeLessThan(REPORTED_WITHIN_MS);
  }
  await fillBlock(blocks, own, true);
  const [honest] = await blocks.watchedJobs(1);
  expect(await blocks.payAndWait(honest as WatchedJob)).toBeLessThan(REPORTED_WITHIN_MS);
}, 180_000);
