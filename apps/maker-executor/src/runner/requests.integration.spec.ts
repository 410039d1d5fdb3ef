import { parseHype } from '@maker/rules';
import type { INestMicroservice } from '@nestjs/common';
import { expect, it, vi } from 'vitest';
import { stageForFile } from '../maker-stage.fixture.ts';
import { seriesOf } from '../metrics/series-of.fixture.ts';
import { RUN_MS, SOON } from '../stage-times.fixture.ts';

const BLOCKS = 12;
const TENTH_OF_GWEI = 100_000_000n;

const own = stageForFile({ blockSeconds: 0 });

/** Number of requests to the chain so far, by method. */
async function requests(maker: INestMicroservice): Promise<(method: string) => number> {
  const values = await seriesOf(maker, 'maker_rpc_requests_total');
  return (method) => values.reduce((sum, { labels, value }) => (labels.method === method ? sum + value : sum), 0);
}

it('needs 1.4 requests per order in blocks of eight', { timeout: RUN_MS }, async () => {
  const maker = await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '600' });
  const plan = await own.stage.plan({ slotMs: 5 });
  const job = await own.stage.paidJob(own.stage.chain.tokens.v2Only, { depositWei: parseHype('0.25'), plan });
  const ordersWaiting = async () => Number((await own.stage.client.getTxpoolStatus()).pending);
  const ordersSigned = async () => (await own.stage.ordersOf(job)).length;
  const mine = async () => {
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: TENTH_OF_GWEI });
    await own.stage.client.mine({ blocks: 1, interval: 1 });
  };
  /** Mines once a transaction is pending, so that each block has some of ours. */
  const mineWaiting = async () => {
    await vi.waitFor(async () => expect(await ordersWaiting()).toBeGreaterThan(0), SOON);
    await mine();
  };
  // The fee and the first orders, for which the pools' start is read too.
  await mineWaiting();
  await vi.waitFor(
    async () => {
      if ((await ordersWaiting()) === 0) await mine();
      expect(await ordersSigned()).toBeGreaterThan(0);
    },
    { ...SOON, interval: 500 },
  );
  await vi.waitFor(async () => expect(await ordersWaiting()).toBeGreaterThan(0), SOON);

  const [before, signedBefore] = [await requests(maker), await ordersSigned()];
  for (let block = 0; block < BLOCKS; block += 1) await mineWaiting();
  await vi.waitFor(async () => expect(await ordersWaiting()).toBeGreaterThan(0), SOON);
  const [after, signed] = [await requests(maker), (await ordersSigned()) - signedBefore];
  const made = (method: string) => after(method) - before(method);

  expect(signed).toBeGreaterThanOrEqual(BLOCKS);
  expect(made('eth_getTransactionReceipt')).toBe(0);
  expect(made('eth_getBlockReceipts')).toBeLessThanOrEqual(BLOCKS + 1);
  expect(made('eth_call')).toBeLessThanOrEqual(BLOCKS + 2);
  expect(made('eth_estimateGas')).toBeLessThanOrEqual(1);
  // At each end of the measurement, one block's orders were signed on one side and sent on the other.
  expect(made('eth_sendRawTransaction')).toBeLessThanOrEqual(signed + 8);
});
