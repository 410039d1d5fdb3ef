import { type CreditedDeposit, listCreditedDeposits, MOST_DEPOSITS_LISTED } from '@maker/contracts';
import type { RequestClient } from '@maker/messaging';

/** A page of the deposits that payment-watcher has credited to a wallet. */
export interface CreditedPage {
  /** The pages have every plain transfer in blocks up to this one. */
  readonly completeToBlock: number;
  readonly deposits: readonly CreditedDeposit[];
}

/** Reads a wallet's deposits from payment-watcher, page by page: strangers can send any number of deposits. */
export class CreditedDeposits {
  constructor(private readonly requests: RequestClient) {}

  /** Yields at least one page. @throws RequestFailedError */
  async *pages(jobId: string): AsyncGenerator<CreditedPage> {
    // Later pages may miss deposits credited meanwhile: all pages are complete as of the first.
    const { completeToBlock, deposits: first } = await this.requests.request(listCreditedDeposits, { jobId });
    let deposits = first;
    yield { completeToBlock, deposits };
    while (deposits.length === MOST_DEPOSITS_LISTED) {
      const last: CreditedDeposit | undefined = deposits.at(-1);
      ({ deposits } = await this.requests.request(listCreditedDeposits, { jobId, after: last?.depositId }));
      yield { completeToBlock, deposits };
    }
  }
}
