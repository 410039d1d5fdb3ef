import { type CreditedDeposit, listCreditedDeposits, MOST_DEPOSITS_TOLD } from '@maker/contracts';
import type { RequestClient } from '@maker/messaging';

/** A page of what payment-watcher has credited to a wallet. */
export interface CreditedPage {
  /** Every plain transfer in blocks up to this one is among the pages. */
  readonly completeToBlock: number;
  readonly deposits: readonly CreditedDeposit[];
}

/** Asks payment-watcher what came to a wallet, page by page: strangers can send any number of deposits. */
export class CreditedDeposits {
  constructor(private readonly requests: RequestClient) {}

  /** At least one page. @throws RequestFailedError */
  async *pages(jobId: string): AsyncGenerator<CreditedPage> {
    // What is credited while the pages are read may be missing from them: they are complete as of the first.
    const { completeToBlock, deposits: first } = await this.requests.request(listCreditedDeposits, { jobId });
    let deposits = first;
    yield { completeToBlock, deposits };
    while (deposits.length === MOST_DEPOSITS_TOLD) {
      const last: CreditedDeposit | undefined = deposits.at(-1);
      ({ deposits } = await this.requests.request(listCreditedDeposits, { jobId, after: last?.depositId }));
      yield { completeToBlock, deposits };
    }
  }

  /** All of them. @throws RequestFailedError */
  async all(jobId: string): Promise<readonly CreditedDeposit[]> {
    const all: CreditedDeposit[] = [];
    for await (const { deposits } of this.pages(jobId)) all.push(...deposits);
    return all;
  }
}
