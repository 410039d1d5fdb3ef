import type { JobStatusResponse } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { CELL_MS, type EndedCell, type MarketCell, paused } from './market-cell.ts';

/** What comes over a market while a job trades on it, and what is right of the job then. */
export interface MarketEvent {
  readonly what: string;
  readonly ends: JobStatusResponse['status'];
  /** Happens once the job has its first orders; returns when the job is in the state that is right. */
  happens(cell: MarketCell): Promise<unknown>;
  /** What else holds of its end. @param happened what `happens` returned */
  expectEnd(cell: MarketCell, ended: EndedCell, happened: unknown): void;
}

/** The pools are 40 HYPE deep: 5.7 HYPE bought make the price 30 % higher, 7,800 tokens sold make it 30 % lower. */
export const BOUGHT_FOR_30_PERCENT = parseHype('5.7');
const SOLD_FOR_30_PERCENT = parseHype('7800');
/** Moves the price by half a per cent: less than an order has to accept, and more than it likes. */
const TRAFFIC = { value: parseHype('0.1'), tokens: parseHype('99') };
/** As near to an order's slippage as pays. */
const SANDWICH = { value: parseHype('0.08'), tokens: parseHype('79') };

/** See {@link MarketEvent}. Dear gas, and time that passes, are for all jobs at once and no events of one market. */
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

/** Waits until an order waits for a block. @returns false where the job is over before */
async function seesOrder({ product, job }: MarketCell): Promise<boolean> {
  const wallet = job.paymentAddress.toLowerCase();
  const look = async () => ({
    isSeen: (await product.control.waiting()).some(({ sender }) => sender.toLowerCase() === wallet),
    isActive: (await product.payment(job.jobId)).status === 'active',
  });
  const either = ({ isSeen, isActive }: { isSeen: boolean; isActive: boolean }) => isSeen || !isActive;
  return (await until('an order', look, either, { timeoutMs: CELL_MS, everyMs: 40 })).isSeen;
}

/** Does something again and again, until the job is over. */
async function whileActive({ product, job }: MarketCell, act: () => Promise<void>): Promise<void> {
  while ((await product.payment(job.jobId)).status === 'active') await act();
}
