import { setTimeout as wait } from 'node:timers/promises';
import { type Collection, MongoClient } from 'mongodb';
import type { ProductClient } from '../support/product-client.ts';
import { readingOf } from '../support/readings.ts';

/** Shortest block time: services request each block about when it is due. */
const BLOCK_MS = 150;
const LOOK_MS = 50;
/** Overdue orders may wait for room in the blocks' share, which is requested at this interval. */
const ROOM_MS = 1000;
/** An order may be deferred to the next block, for example when its gas price rises: that block is then made anyway. */
const PLACED_MS = 5000;
/** By then the executor has seen a block, even on a busy machine. */
const SEEN_MS = 60_000;

/** Conditions of blocks while a task runs. */
export interface Pace {
  /** Wei per gas. */
  readonly baseFeeWei: bigint;
  readonly secondsPerBlock: number;
}

/**
 * Makes blocks while a task runs, each after maker-executor has seen the previous one and placed its due orders, or waits for room. So
 * the product alone decides whether a schedule is kept, not the load of the machine. No blocks come afterwards.
 */
export async function atPace<Result>(
  product: ProductClient,
  { baseFeeWei, secondsPerBlock }: Pace,
  run: () => Promise<Result>,
): Promise<Result> {
  const { chain, control, stack } = product;
  await control.setBlockInterval(0);
  let { timestamp } = await chain.getBlock();
  const records = new MongoClient(stack.mongoUrl);
  const executions = records.db('maker_executor').collection('executions');
  const over = new AbortController();
  const makeBlocks = async () => {
    while (!over.signal.aborted) {
      await control.setBaseFee('small', baseFeeWei);
      timestamp += BigInt(secondsPerBlock);
      await control.request('evm_setNextBlockTimestamp', Number(timestamp));
      await control.mine();
      await wait(BLOCK_MS);
      await caughtUp(product, executions, Number(timestamp));
    }
  };
  const making = makeBlocks();
  try {
    // Without blocks the task would wait forever.
    const stopped = making.then(() => Promise.reject(new Error('the chain has stopped')));
    return await Promise.race([run(), stopped]);
  } finally {
    over.abort();
    await making;
    await records.close();
  }
}

async function caughtUp(product: ProductClient, executions: Collection, seconds: number): Promise<void> {
  const seenEnd = Date.now() + SEEN_MS;
  while (
    (await readingOf(product.stack.ops['maker-executor'], 'maker_execution_head_timestamp_seconds')) < seconds &&
    Date.now() < seenEnd
  )
    await wait(LOOK_MS);
  const end = Date.now() + PLACED_MS;
  let askRoomAt = Date.now() + ROOM_MS;
  while (Date.now() < end) {
    const due = await executions.countDocuments({
      phase: 'trading',
      paused: null,
      cancelled: false,
      nextOrderAtMs: { $lte: seconds * 1000 },
    });
    if (due === 0) return;
    if (Date.now() > askRoomAt) {
      if (due <= (await readingOf(product.stack.ops['maker-executor'], 'maker_execution_waiting_for_room'))) return;
      askRoomAt = Date.now() + ROOM_MS;
    }
    await wait(LOOK_MS);
  }
}
