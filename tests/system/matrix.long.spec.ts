import { STANDARD_ORDER_WEI } from '@maker/rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { atGasPrice } from './gas-price.ts';
import {
  beginCell,
  CELL_MS,
  endOf,
  type MarketCell,
  type OpenCell,
  openCells,
  PAID,
  paused,
  trade,
} from './market-cell.ts';
import { BOUGHT_FOR_30_PERCENT, MARKET_EVENTS } from './market-events.ts';
import { VENUE_SHAPES } from './venue-shapes.ts';

const GWEI = 1_000_000_000n;
const WINDOW_SECONDS = 30;
/** Time that pauses may add to a job's orders: longer than any machine takes, so only the chain's clock reaches it. */
const PAUSES_SECONDS = 86_400;
/** The executor skips a pool that refused for 60 blocks; this does not count as missing liquidity. */
const LIQUIDITY_TIMEOUT_SECONDS = '30';
/** The job service plans by its own clock, so the chain's clock runs at real speed. */
const CLOCK = { blockMs: 250, secondsPerBlock: 0 };

const CELLS = MARKET_EVENTS.flatMap((event, row) =>
  VENUE_SHAPES.map((venue, column) => ({
    event,
    index: row * VENUE_SHAPES.length + column,
    name: `${venue.what}with ${event.what}: ${event.ends}`,
  })),
);

let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;
let cells: readonly OpenCell[];

beforeAll(async () => {
  const environment = {
    job: { MINIMUM_PAYMENT_HYPE: PAID, JOB_PAUSE_ALLOWANCE_SECONDS: `${PAUSES_SECONDS}` },
    'maker-executor': { MAKER_LIQUIDITY_TIMEOUT_SECONDS: LIQUIDITY_TIMEOUT_SECONDS },
  };
  ownStack = await startOwnStack(WINDOW_SECONDS, environment, {}, { clock: CLOCK });
  product = new ProductClient(ownStack.stack);
  // Also one of each for a high gas price, and for a price that stays high.
  cells = await openCells(product, MARKET_EVENTS.length + 2);
}, 300_000);

afterAll(() => ownStack?.stop());

describe('each venue × each market event (design §§ 4 and 4a)', () => {
  it.concurrent.each(CELLS)('$name', { timeout: CELL_MS }, async ({ event, index }) => {
    const cell = await beginCell(product, cells[index] as OpenCell);
    await trade(cell);
    const happened = await event.happens(cell);
    const ended = await endOf(cell);
    expect(ended.status).toBe(event.ends);
    event.expectEnd(cell, ended, happened);
  });
});

describe('each venue × gas of 11 gwei, then of 9 (specification § 9)', () => {
  it('a job waits, then completes with larger orders', { timeout: CELL_MS }, async () => {
    const jobs = await trading(CELLS.length);
    await atGasPrice(product, 11n * GWEI, () => Promise.all(jobs.map((job) => paused(job, 'gas_guardrail'))));
    const ends = await atGasPrice(product, 9n * GWEI, () => Promise.all(jobs.map(endOf)));
    for (const ended of ends) {
      expect(ended.status).toBe('completed');
      expect(ended.receipt.pauses.map(({ reason }) => reason)).toContain('gas_guardrail');
      expect(ended.account.orderTrades.some((wei) => wei > 2n * STANDARD_ORDER_WEI)).toBe(true);
    }
  });
});

// Runs last, since it advances the clock by a day.
describe('each venue × a price 30 % higher (design §§ 2.4 and 4 End)', () => {
  it('a job buys below its band and ends', { timeout: CELL_MS }, async () => {
    const jobs = await trading(CELLS.length + VENUE_SHAPES.length);
    await Promise.all(jobs.map(({ stranger }) => stranger.buys(BOUGHT_FOR_30_PERCENT)));
    await Promise.all(jobs.map((job) => paused(job, 'price_band')));
    await product.control.increaseTime(PAUSES_SECONDS + 2 * WINDOW_SECONDS);
    for (const [index, ended] of (await Promise.all(jobs.map(endOf))).entries()) {
      expect(ended.status).toBe('completed');
      expect(ended.receipt.pauses.map(({ reason }) => reason)).toContain('price_band');
      expect(ended.account.tradedWei).toBeLessThan(BigInt(jobs[index]?.job.plan?.spendableWei ?? 0));
    }
  });
});

/** A trading job on a market of each venue. @param from the first of these markets */
async function trading(from: number): Promise<readonly MarketCell[]> {
  const open = cells.slice(from, from + VENUE_SHAPES.length);
  const jobs = await Promise.all(open.map((cell) => beginCell(product, cell)));
  await Promise.all(jobs.map(trade));
  return jobs;
}
