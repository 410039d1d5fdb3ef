import { type CreditedDeposit, MOST_DEPOSITS_LISTED } from '@maker/contracts';
import type { RequestClient } from '@maker/messaging';
import { expect, it } from 'vitest';
import { CreditedDeposits, type CreditedPage } from './credited-deposits.ts';

/** A fake payment-watcher with `count` deposits that answers in pages; each answer is complete to one more block. */
function watcherOf(count: number) {
  const all = Array.from({ length: count }, (_, index) => ({ depositId: `${index}` }) as CreditedDeposit);
  const asked: unknown[] = [];
  const requests = {
    async request(_contract: unknown, body: { after?: string }) {
      asked.push(body);
      const from = body.after === undefined ? 0 : Number(body.after) + 1;
      return { completeToBlock: 100 + asked.length, deposits: all.slice(from, from + MOST_DEPOSITS_LISTED) };
    },
  };
  return { all, asked, credited: new CreditedDeposits(requests as unknown as RequestClient) };
}

it('requests one page where that is all', async () => {
  const { all, asked, credited } = watcherOf(3);
  const pages: CreditedPage[] = [];
  for await (const page of credited.pages('job')) pages.push(page);
  expect(pages.map(({ deposits }) => deposits)).toEqual([all]);
  expect(asked).toEqual([{ jobId: 'job' }]);
});

it('requests pages until one is not full', async () => {
  const { all, asked, credited } = watcherOf(MOST_DEPOSITS_LISTED + 2);
  const pages: CreditedPage[] = [];
  for await (const page of credited.pages('job')) pages.push(page);
  expect(pages.flatMap(({ deposits }) => deposits)).toEqual(all);
  expect(pages.map(({ completeToBlock }) => completeToBlock)).toEqual([101, 101]);
  expect(asked).toEqual([{ jobId: 'job' }, { jobId: 'job', after: `${MOST_DEPOSITS_LISTED - 1}` }]);
});
