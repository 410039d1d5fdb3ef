import { type JobOrdersQuery, type JobOrdersResponse, listOrders, type ReceiptOrder } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

const PAGE = 500;

/** Reads a job's orders from maker-executor. */
@Injectable()
export class JobOrdersReader {
  constructor(
    private readonly requests: RequestClient,
    private readonly snapshot: StatusSnapshot,
  ) {}

  /** One page. @throws RequestFailedError `JOB_NOT_FOUND`, which maker-executor cannot tell from a job not yet paid */
  async page(jobId: string, query: JobOrdersQuery): Promise<JobOrdersResponse> {
    await this.snapshot.payment(jobId);
    return this.requests.request(listOrders, { jobId, ...query });
  }

  /** Page after page from the first order to the last, so that no more than one is held in memory. */
  async *pages(jobId: string): AsyncGenerator<readonly ReceiptOrder[]> {
    let after = 0;
    for (;;) {
      const { orders } = await this.page(jobId, { after, limit: PAGE });
      yield orders;
      const last = orders.at(-1);
      if (!last || orders.length < PAGE) return;
      after = last.number;
    }
  }
}
