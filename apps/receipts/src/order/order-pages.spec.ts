import type { ExecutionProgress, ExecutionRecords, Order, TransactionRecord } from '@maker/execution-records';
import { beforeEach, expect, it } from 'vitest';
import { finalOrders, OrderPages } from './order-pages.ts';

const JOB = 'job_1';
const HASH = `0x${'a'.repeat(64)}` as const;

/** Orders below this number are final. */
let firstOpen: number;
let nowMs: number;
/** The pages read, by the number before their first order. */
let reads: number[];
let pages: OrderPages;
let progress: ExecutionProgress;

const idOf = (number: number) => `${JOB}/order/${number}`;
const orderOf = (number: number) =>
  ({ id: idOf(number), number, tradeWei: 1n, quotedTokens: 1n, minimumTokens: 1n, placedAt: new Date(0) }) as Order;

function transactionOf(id: string): TransactionRecord {
  const isFinal = Number(id.split('/')[2]) < firstOpen;
  const inclusion = { hash: HASH, blockAt: new Date(0), succeeded: true, receivedTokens: 0n, gasWei: 0n };
  return {
    id,
    state: isFinal ? 'final' : 'broadcast',
    attempts: [{ hash: HASH }],
    inclusion: isFinal ? inclusion : null,
  } as unknown as TransactionRecord;
}

beforeEach(() => {
  firstOpen = 250;
  nowMs = 0;
  reads = [];
  progress = { phase: 'trading', revision: 1, ordersSigned: 260, endedAt: null };
  const orders = {
    list: async (_job: string, after: number, limit: number) => {
      reads.push(after);
      return Array.from({ length: Math.min(limit, 260 - after) }, (_, index) => orderOf(after + index + 1));
    },
  };
  const transactions = {
    byIds: async (ids: readonly string[]) => new Map(ids.map((id) => [id, transactionOf(id)])),
  };
  pages = new OrderPages({ orders, transactions } as unknown as ExecutionRecords, { now: () => nowMs });
});

const numbersAfter = async (after: number, limit: number) =>
  (await pages.after(JOB, progress, after, limit)).map(({ number }) => number);

it('lists orders after a number, over several pages', async () => {
  expect(await numbersAfter(95, 10)).toEqual([96, 97, 98, 99, 100, 101, 102, 103, 104, 105]);
  expect(await numbersAfter(255, 500)).toEqual([256, 257, 258, 259, 260]);
  expect(await numbersAfter(260, 500)).toEqual([]);
});

it('reads each page once for any number of requests', async () => {
  await Promise.all([numbersAfter(0, 500), numbersAfter(0, 500)]);
  for (let after = 0; after < 260; after++) await numbersAfter(after, 7);
  expect(reads).toEqual([0, 100, 200]);
});

it('reads pages with open orders again after a write', async () => {
  await numbersAfter(0, 500);
  progress = { ...progress, revision: 2 };
  await numbersAfter(0, 500);
  expect(reads).toEqual([0, 100, 200, 200]);
});

it('reads final pages again after ten seconds and a write', async () => {
  await numbersAfter(0, 200);
  progress = { ...progress, revision: 2 };
  nowMs = 10_000;
  await numbersAfter(0, 200);
  expect(reads).toEqual([0, 100, 0, 100]);
});

it('reads an active job’s open orders every second', async () => {
  await numbersAfter(200, 500);
  nowMs = 999;
  await numbersAfter(200, 500);
  nowMs = 1000;
  await numbersAfter(200, 500);
  expect(reads).toEqual([200, 200]);
});

it('keeps an ended job’s orders until its execution changes', async () => {
  progress = { ...progress, phase: 'completed', endedAt: new Date(0) };
  await numbersAfter(0, 500);
  nowMs = 86_400_000;
  await numbersAfter(0, 500);
  expect(reads).toEqual([0, 100, 200]);
});

it('signs orders up to the first that is not final', async () => {
  const final = finalOrders(await pages.after(JOB, progress, 0, 500));
  expect(final).toHaveLength(249);
  expect(JSON.parse(final[0]?.text ?? '')).toMatchObject({ number: 1, result: 'filled' });
});
