import { setTimeout as wait } from 'node:timers/promises';
import { HYPEREVM_CLOCK, type StackDescription } from '@maker/local-stack';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { readingOf } from '../support/readings.ts';
import { type Effort, type Figure, median } from './figure.ts';

/** Mean wait of who asks every 10 s (specification § 9), ms. */
const POLL_MEAN_MS = 5000;
/** Between two looks at the chain's height, ms: how exactly the moment of a block is known. */
const LOOK_MS = 3;

/** When each new block was there to be read, ms. */
class BlockMoments {
  readonly at = new Map<number, number>();
  private readonly stopping = new AbortController();

  constructor(rpcUrl: string) {
    void this.run(rpcUrl);
  }

  stop(): void {
    this.stopping.abort();
  }

  private async run(url: string): Promise<void> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
    const headers = { 'content-type': 'application/json' };
    while (!this.stopping.signal.aborted) {
      const { result } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { result: string };
      if (!this.at.has(Number(result))) this.at.set(Number(result), performance.now());
      await wait(LOOK_MS);
    }
  }
}

/**
 * How soon a payer hears of a payment on the live channel after its block was there, against the mean wait of who polls; and how many
 * requests following the chain takes. On a chain of one block a second.
 */
export async function measureToldPayments({ rounds, seconds }: Effort): Promise<Figure[]> {
  const running = await startOwnStack(60, {}, {}, { clock: HYPEREVM_CLOCK });
  const moments = new BlockMoments(running.stack.rpcUrl);
  try {
    const calls: number[] = [];
    for (let round = 0; round < rounds; round += 1) calls.push(await callsPerBlock(running.stack, seconds * 5000));
    const product = new ProductClient(running.stack);
    const told: Told[] = [];
    for (let round = 0; round < rounds; round += 1) told.push(await pay(product, running.stack, moments));
    return [
      {
        name: 'requests of the watcher a block, nothing paid',
        peer: '1',
        ratios: calls,
        mustReach: { atMost: 1.3 + 1 / 30 },
        behind: 'all methods, sweeps of balances included',
      },
      {
        name: 'a block with the payment → told that it is seen',
        peer: 'mean wait of a 10 s poll, 5 s',
        ratios: told.map(({ seenMs }) => seenMs / POLL_MEAN_MS),
        mustReach: { atMost: 1 / 20 },
        behind: `${Math.round(median(told.map(({ seenMs }) => seenMs)))} ms; credited after ${Math.round(median(told.map(({ creditedMs }) => creditedMs)))} ms`,
      },
    ];
  } finally {
    moments.stop();
    await running.stop();
  }
}

async function callsPerBlock({ ops, rpcUrl }: StackDescription, ms: number): Promise<number> {
  const calls = () => readingOf(ops['payment-watcher'], 'maker_rpc_requests_total');
  const height = async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(rpcUrl, { method: 'POST', headers, body });
    return Number(((await response.json()) as { result: string }).result);
  };
  const before = { calls: await calls(), height: await height() };
  await wait(ms);
  return ((await calls()) - before.calls) / ((await height()) - before.height);
}

interface Told {
  /** From the block to the news of it, ms. */
  readonly seenMs: number;
  readonly creditedMs: number;
}

async function pay(product: ProductClient, stack: StackDescription, moments: BlockMoments): Promise<Told> {
  const { jobId, paymentAddress } = await product.createJob(stack.tokens.both, 0.5);
  const leaving = new AbortController();
  const stream = await fetch(`${stack.apiUrl}/jobs/${jobId}/events`, {
    headers: { 'x-api-key': stack.apiKey },
    signal: leaving.signal,
  });
  const paid = product.pay(paymentAddress, '0.5');
  let seenAt: number | undefined;
  let text = '';
  try {
    for await (const chunk of stream.body ?? []) {
      text += new TextDecoder().decode(chunk);
      const now = performance.now();
      if (/"(waitingWei|receivedWei)":"[1-9]/.test(text)) seenAt ??= now;
      if (!/"receivedWei":"[1-9]/.test(text)) continue;
      const { blockNumber } = await paid;
      const minedAt = moments.at.get(Number(blockNumber));
      if (minedAt === undefined || seenAt === undefined) throw new Error(`nobody saw block ${blockNumber} come`);
      return { seenMs: seenAt - minedAt, creditedMs: now - minedAt };
    }
    throw new Error(`the live channel of ${jobId} ended before its payment`);
  } finally {
    leaving.abort();
  }
}
