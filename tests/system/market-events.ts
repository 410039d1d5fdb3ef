import type { JobStatusResponse } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { CELL_MS, type EndedCell, type MarketCell, paused } from './market-cell.ts';

/** An event on a job's market, and the job's correct state during it. */
export interface MarketEvent {
  readonly what: string;
  readonly ends: JobStatusResponse['status'];
  /** Starts after the job's first orders; returns when the job has the correct state. */
  happens(cell: MarketCell): Promise<unknown>;
  /** Further assertions about its end. @param happened result of `happens` */
  expectEnd(cell: MarketCell, ended: EndedCell, happened: unknown): void;
}

/** The pools are 40 HYPE deep: buying for 5.7 HYPE raises the price by 30 %, selling 7,800 tokens lowers it by 30 %. */
export const BOUGHT_FOR_30_PERCENT = parseHype('5.7');
const SOLD_FOR_30_PERCENT = parseHype('7800');
/** Moves the price by 0.5 %: less than an order must accept, and more than its ideal. */
const TRAFFIC = { value: parseHype('0.1'), tokens: parseHype('99') };
/** As close to an order's slippage limit as profitable. */
const SANDWICH = { value: parseHype('0.08'), tokens: parseHype('79') };

/** See {@link MarketEvent}. A high gas price and the passing of time affect all jobs, so they are no events of one market. */
export const MARKET_EVENTS: readonly MarketEvent[] = [
  {
    what: 'nothing',
    ends: 'completed',
    happens: async () => undefined,
    expectEnd({ job }, { tokens, account }) {
      expect(Math.abs(Number(tokens) / Number(job.plan?.purchase.tokens) - 1)).toBeLessThan(0.005);
      expect(account.ordersPlaced).toBe(job.plan?.orders.count);
    },
  },
  {
    what: 'a price that is 30 % lower',
    ends: 'completed',
    happens: ({ stranger }) => stranger.sells(SOLD_FOR_30_PERCENT),
    expectEnd({ job }, { tokens, receipt }) {
      expect(Number(tokens)).toBeGreaterThan(Number(job.plan?.purchase.tokens) * 1.1);
      expect(receipt.pauses).toEqual([]);
    },
  },
  {
    what: 'the loss of all its liquidity',
    ends: 'failed_liquidity',
    async happens(cell) {
      await cell.venue.pullLiquidity(cell.product, cell.token);
      await paused(cell, 'thin_liquidity');
    },
    expectEnd({ job }, { account, receipt }) {
      expect(receipt.pauses.map(({ reason }) => reason)).toContain('thin_liquidity');
      expect(account.ordersPlaced).toBeLessThan(job.plan?.orders.count ?? 0);
    },
  },
  {
    what: 'strangers who buy and sell in each block',
    ends: 'completed',
    happens: (cell) =>
      whileActive(cell, async () => {
        await cell.stranger.buys(TRAFFIC.value);
        await cell.stranger.sells(TRAFFIC.tokens);
      }),
    expectEnd(_cell, { account }) {
      expect(account.tradedWei).toBeGreaterThan(0n);
    },
  },
  {
    what: 'a stranger who buys before its orders and sells behind them',
    ends: 'completed',
    async happens(cell) {
      const blocks: bigint[] = [];
      await whileActive(cell, async () => {
        if (await seesOrder(cell)) blocks.push(await cell.stranger.sandwiches(SANDWICH.value, SANDWICH.tokens));
      });
      return blocks;
    },
    expectEnd(_cell, { receipt }, blocks) {
      const ours = new Set(receipt.orders.map(({ blockNumber }) => BigInt(blockNumber)));
      const caught = (blocks as bigint[]).filter((block) => ours.has(block));
      expect(caught.length, 'blocks in which it bought before an order').toBeGreaterThan(0);
    },
  },
];

/** Waits until an order is in the mempool. @returns false if the job ends before */
async function seesOrder({ product, job }: MarketCell): Promise<boolean> {
  const wallet = job.paymentAddress.toLowerCase();
  const state = async () => ({
    isSeen: (await product.control.waiting()).some(({ sender }) => sender.toLowerCase() === wallet),
    isActive: (await product.payment(job.jobId)).status === 'active',
  });
  const either = ({ isSeen, isActive }: { isSeen: boolean; isActive: boolean }) => isSeen || !isActive;
  return (await until('an order', state, either, { timeoutMs: CELL_MS, everyMs: 40 })).isSeen;
}

/** Repeats an action until the job is over. */
async function whileActive({ product, job }: MarketCell, act: () => Promise<void>): Promise<void> {
  while ((await product.payment(job.jobId)).status === 'active') await act();
}
