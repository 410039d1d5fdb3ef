import { HYPEREVM_CLOCK, type RunningStack } from '@maker/local-stack';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { readingOf } from '../support/readings.ts';
import { until } from '../support/until.ts';
import { type Effort, type Figure, median, sumOf } from './figure.ts';
import { type Block, blocksOf, keepCheap } from './trading-blocks.ts';

/** Most transactions of one address in HyperEVM's mempool (hyperevm § 1.2). */
const OF_ONE_WALLET = 8;
const WALLETS = 4;
const DONE_MS = 600_000;

/** Orders per block without a schedule, and their requests. On a chain of one block a second. */
export async function measureOrders({ budget, rounds }: Effort): Promise<Figure[]> {
  // With so short a window, as many orders as fit are due with each block.
  const running = await startOwnStack(1, {}, {}, { clock: HYPEREVM_CLOCK });
  const product = new ProductClient(running.stack);
  const cheapening = new AbortController();
  const cheap = keepCheap(product, cheapening.signal);
  try {
    const alone: Trade[] = [];
    for (let round = 0; round < Math.min(rounds, 2); round += 1) alone.push(await trade(running, product, 1, budget));
    const together = await trade(running, product, WALLETS, budget);
    const gasOfOrder = median(together.blocks.map(({ gas, orders }) => gas / orders));
    const fit = Math.min(
      WALLETS * OF_ONE_WALLET,
      Math.floor(Math.min(...together.blocks.map(({ limit }) => limit)) / gasOfOrder),
    );
    const mean = (blocks: readonly Block[]) => sumOf(blocks.map(({ orders }) => orders)) / blocks.length;
    const busy = together.blocks.filter(({ trading }) => trading === WALLETS);
    return [
      {
        name: 'orders a block, one wallet',
        peer: `${OF_ONE_WALLET}, what the mempool takes of an address`,
        ratios: alone.map(({ blocks }) => mean(blocks) / OF_ONE_WALLET),
        mustReach: { atLeast: 7.6 / OF_ONE_WALLET },
        behind: `${mean(alone[0]?.blocks ?? []).toFixed(2)} over ${alone[0]?.blocks.length} blocks`,
      },
      {
        name: 'orders a block, four wallets',
        peer: `${fit}: gas of a block by that of an order, at most ${WALLETS * OF_ONE_WALLET}`,
        ratios: [mean(busy) / fit],
        mustReach: { atLeast: 0.95 },
        behind: `${mean(busy).toFixed(1)} over the ${busy.length} blocks in which all four traded, ${Math.round(gasOfOrder / 1000)} k gas each`,
      },
      {
        name: 'requests of the executor an order, one wallet',
        peer: '1',
        ratios: alone.map(({ callsPerOrder }) => callsPerOrder),
        mustReach: { atMost: 1.5 },
        behind: `all methods, from payment to the end; header, receipts and quote of a block serve ${OF_ONE_WALLET} orders at most`,
      },
      {
        name: 'requests of the executor an order, four wallets',
        peer: '1',
        ratios: [together.callsPerOrder],
        mustReach: { atMost: 1.3 },
        behind: 'all methods, from payment to the end',
      },
    ];
  } finally {
    cheapening.abort();
    await cheap;
    await running.stop();
  }
}

interface Trade {
  /** Blocks between the first order and the last, without these two. */
  readonly blocks: readonly Block[];
  readonly callsPerOrder: number;
}

async function trade({ stack }: RunningStack, product: ProductClient, wallets: number, budget: number): Promise<Trade> {
  const tokens = [stack.tokens.both, stack.tokens.v2Only, stack.tokens.v3Only, stack.tokens.camelotOnly];
  const jobs = [];
  for (let wallet = 0; wallet < wallets; wallet += 1) {
    jobs.push(await product.createJob(tokens[wallet % tokens.length] ?? stack.tokens.both, budget));
  }
  const calls = () => readingOf(stack.ops['maker-executor'], 'maker_rpc_requests_total');
  const before = await calls();
  const first = await product.chain.getBlockNumber();
  for (const { paymentAddress } of jobs) await product.pay(paymentAddress, String(budget));
  for (const { jobId } of jobs) {
    const status = async () => (await product.status(jobId)).status;
    await until(`the end of ${jobId}`, status, (reached) => reached === 'completed', { timeoutMs: DONE_MS });
  }
  const made = (await calls()) - before;
  const last = await product.chain.getBlockNumber();
  const hashes = new Set<string>();
  for (const { jobId } of jobs) {
    for (const { transactionHash } of await product.orders(jobId)) if (transactionHash) hashes.add(transactionHash);
  }
  const blocks = await blocksOf(product, hashes, { first, last });
  return { blocks, callsPerOrder: made / hashes.size };
}
