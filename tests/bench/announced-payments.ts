import { setTimeout as wait } from 'node:timers/promises';
import { HYPEREVM_CLOCK, type StackDescription } from '@maker/local-stack';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { readingOf } from '../support/readings.ts';
import { BlockMoments, heightOf } from './block-moments.ts';
import { type Effort, type Figure, median } from './figure.ts';

/** Mean wait of a client that polls every 10 s (specification § 9), ms. */
const POLL_MEAN_MS = 5000;
/**
 * Delay between a payment's block and its event on the live channel, against the mean wait of a polling client; and requests needed
 * to follow the chain. On a chain of one block a second.
 */
export async function measureAnnouncedPayments({ rounds, seconds }: Effort): Promise<Figure[]> {
  const running = await startOwnStack(60, {}, {}, { clock: HYPEREVM_CLOCK });
  const moments = new BlockMoments(running.stack.rpcUrl);
  try {
    const calls: number[] = [];
    for (let round = 0; round < rounds; round += 1) calls.push(await callsPerBlock(running.stack, seconds * 5000));
    const product = new ProductClient(running.stack);
    const delays: Delay[] = [];
    for (let round = 0; round < rounds; round += 1) delays.push(await pay(product, running.stack, moments));
    return [
      {
        name: 'requests of the watcher a block, nothing paid',
        peer: '1',
        ratios: calls,
        mustReach: { atMost: 1.3 + 1 / 30 },
        behind: 'all methods, polls of balances included',
      },
      {
        name: 'a block with the payment → reported as seen',
        peer: 'mean wait of a 10 s poll, 5 s',
        ratios: delays.map(({ seenMs }) => seenMs / POLL_MEAN_MS),
        mustReach: { atMost: 1 / 20 },
        behind: `${Math.round(median(delays.map(({ seenMs }) => seenMs)))} ms; credited after ${Math.round(median(delays.map(({ creditedMs }) => creditedMs)))} ms`,
      },
    ];
  } finally {
    moments.stop();
    await running.stop();
  }
}

async function callsPerBlock({ ops, rpcUrl }: StackDescription, ms: number): Promise<number> {
  const calls = () => readingOf(ops['payment-watcher'], 'maker_rpc_requests_total');
  const height = () => heightOf(rpcUrl);
  const before = { calls: await calls(), height: await height() };
  await wait(ms);
  return ((await calls()) - before.calls) / ((await height()) - before.height);
}

interface Delay {
  /** Time from the block to the event, ms. */
  readonly seenMs: number;
  readonly creditedMs: number;
}

async function pay(product: ProductClient, stack: StackDescription, moments: BlockMoments): Promise<Delay> {
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
      const minedAt = moments.of(Number(blockNumber));
      if (seenAt === undefined) throw new Error(`no event announced the payment in block ${blockNumber}`);
      return { seenMs: seenAt - minedAt, creditedMs: now - minedAt };
    }
    throw new Error(`the live channel of ${jobId} ended before its payment`);
  } finally {
    leaving.abort();
  }
}
