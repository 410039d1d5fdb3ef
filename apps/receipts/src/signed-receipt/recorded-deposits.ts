import { type CreditedDeposit, listDeposits, MOST_DEPOSITS_LISTED } from '@maker/contracts';
import type { RequestClient } from '@maker/messaging';

/**
 * Reads all deposits of a job from the job service, page by page: strangers can send any number of them.
 * @throws RequestFailedError
 */
export async function recordedDeposits(requests: RequestClient, jobId: string): Promise<readonly CreditedDeposit[]> {
  const all: CreditedDeposit[] = [];
  for (;;) {
    const { deposits } = await requests.request(listDeposits, { jobId, after: all.at(-1)?.depositId });
    all.push(...deposits);
    if (deposits.length < MOST_DEPOSITS_LISTED) return all;
  }
}
