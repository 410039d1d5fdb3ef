import { type CreditedDeposit, MOST_DEPOSITS_LISTED } from '@maker/contracts';
import type { RequestClient } from '@maker/messaging';
import { expect, it } from 'vitest';
import { recordedDeposits } from './recorded-deposits.ts';

it.each([0, 1, MOST_DEPOSITS_LISTED, MOST_DEPOSITS_LISTED + 1])('reads all of %i deposits once', async (count) => {
  const ids = Array.from({ length: count }, (_, index) => `${1000 + index}`);
  const requests = {
    request: async (_contract: unknown, { jobId, after = '' }: { jobId: string; after?: string }) => {
      expect(jobId).toBe('job');
      const page = ids.filter((id) => id > after).slice(0, MOST_DEPOSITS_LISTED);
      return { deposits: page.map((depositId) => ({ depositId }) as CreditedDeposit) };
    },
  };
  const read = await recordedDeposits(requests as unknown as RequestClient, 'job');
  expect(read.map(({ depositId }) => depositId)).toEqual(ids);
});
