import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillBlock, percentile } from './fill-block.fixture.ts';
import { HostileBlocks, REPORTED_WITHIN_MS, type WatchedJob } from './hostile-blocks.fixture.ts';

/** Five minutes of HyperEVM by default; `HOSTILE_BLOCKS` overrides it. */
const BLOCKS = Number(process.env.HOSTILE_BLOCKS ?? 300);
const BIG_BLOCK_EVERY = 60;
const PAYMENT_EVERY = 3;
/** Most heap growth over all blocks after a garbage collection, bytes. */
const MOST_GROWTH = 64 * 1024 * 1024;

let blocks: HostileBlocks;

beforeAll(async () => {
  blocks = await HostileBlocks.start();
});
afterAll(() => blocks?.stop());

it(`reports within 2 s (p99) over ${BLOCKS} hostile blocks`, { timeout: 60_000 + BLOCKS * 10_000 }, async () => {
  await blocks.watch();
  const own = await blocks.watchedJobs(300);
  const honest = (await blocks.watchedJobs(Math.ceil(BLOCKS / PAYMENT_EVERY))) as WatchedJob[];
  const latenciesMs: number[] = [];
  const heapBefore = retainedHeap();
  for (let block = 1; block <= BLOCKS; block++) {
    await fillBlock(blocks, own, block % BIG_BLOCK_EVERY === 0);
    const job = block % PAYMENT_EVERY === 0 ? honest.pop() : undefined;
    if (job) latenciesMs.push(await blocks.payAndWait(job));
    else await blocks.mine();
    await blocks.scannedToHead();
  }
  const growth = retainedHeap() - heapBefore;
  const summary =
    `${latenciesMs.length} payments reported within ${Math.round(percentile(latenciesMs, 50))} ms (median), ` +
    `${Math.round(percentile(latenciesMs, 99))} ms (p99); heap grew by ${Math.round(growth / 1024 / 1024)} MiB`;
  expect(latenciesMs.length).toBeGreaterThan(0);
  expect(percentile(latenciesMs, 99), summary).toBeLessThan(REPORTED_WITHIN_MS);
  expect(growth, summary).toBeLessThan(MOST_GROWTH);
});

/** Returns the used heap after a garbage collection, bytes. */
function retainedHeap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
