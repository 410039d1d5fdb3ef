import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningStack, startStack } from '@maker/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FaultyNode } from '../../libs/chain/src/endpoints/faulty-node.fixture.ts';
import { ProductClient } from '../support/product-client.ts';
import { readingOf } from '../support/readings.ts';
import { until } from '../support/until.ts';

// HyperEVM's public RPC allows an IP address 100 requests a minute. Source: hyperevm § 1.
const PUBLIC_LIMIT = { requests: 100, perMs: 60_000 };
const LIMITED = { CHAIN_RPC_REQUESTS_PER_MINUTE: String(PUBLIC_LIMIT.requests) };

/** Long enough to count two whole minutes after the start. */
const COUNTED_MS = 150_000;

let directory: string;
let endpoint: FaultyNode;
let running: RunningStack;
let product: ProductClient;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'maker-stack-'));
  running = await startStack({
    directory,
    ports: 'free',
    parts: 'services',
    reach: async (server, port) => {
      if (server !== 'chain') return port;
      endpoint = await FaultyNode.start(`http://127.0.0.1:${port}`, PUBLIC_LIMIT);
      return Number(new URL(endpoint.url).port);
    },
    environment: {
      'token-validation': LIMITED,
      'payment-watcher': LIMITED,
      // A day, as in production.
      job: { JOB_EXECUTION_WINDOW_SECONDS: '86400' },
      'maker-executor': LIMITED,
    },
  });
  product = new ProductClient(running.stack);
}, 180_000);

afterAll(async () => {
  await running?.stop();
  await endpoint?.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('the product behind one endpoint of 100 requests a minute', () => {
  it('stays within the limit and starts buying', async () => {
    const beganAtMs = performance.now();
    const job = await until(
      'a job',
      () => product.createJob(running.stack.tokens.v2Only, 0.25).catch(() => undefined),
      (created) => created !== undefined,
      { everyMs: 5000 },
    );
    const { paymentAddress, jobId } = job as NonNullable<typeof job>;
    const { blockNumber } = await product.pay(paymentAddress, '0.25');
    await until(
      'detection',
      () => product.payment(jobId),
      ({ status }) => status === 'active',
      { timeoutMs: 30_000 },
    );
    const detectedAfter = Number(await product.chain.getBlockNumber()) - Number(blockNumber);
    expect(detectedAfter).toBeLessThan(15);
    await until(
      'a first order in a block',
      () => product.status(jobId),
      ({ receipt }) => (receipt?.ordersPlaced ?? 0) >= 1,
      { timeoutMs: 120_000 },
    );
    await until(
      'two minutes of counting',
      async () => performance.now() - beganAtMs,
      (elapsedMs) => elapsedMs > COUNTED_MS,
      { timeoutMs: COUNTED_MS * 2, everyMs: 1000 },
    );

    expect(endpoint.refused).toBe(0);
    expect(endpoint.mostWithin(PUBLIC_LIMIT.perMs)).toBeLessThanOrEqual(PUBLIC_LIMIT.requests);
    // The scan still keeps up with the chain.
    const head = Number(await product.chain.getBlockNumber({ cacheTime: 0 }));
    expect(head - (await readingOf(running.stack.ops['payment-watcher'], 'maker_watcher_cursor_block'))).toBeLessThan(
      10,
    );
  }, 400_000);
});
