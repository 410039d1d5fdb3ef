import { type JobOrdersQuery, listOrders, listSignedOrders } from '@maker/contracts';
import { ExecutionRecords } from '@maker/execution-records';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { finalOrders, OrderPages } from './order-pages.ts';

type Query = JobOrdersQuery & { jobId: string };

/** Answers requests for the orders of a job. Source: design § 2.6. */
@Controller()
export class OrdersHandler {
  constructor(
    private readonly records: ExecutionRecords,
    private readonly pages: OrderPages,
  ) {}

  @HandleRequest(listOrders)
  async list(query: Query) {
    return { orders: (await this.after(query)).map(({ shown }) => shown) };
  }

  /** Final orders after a number, as the exact texts that the wallet signed. */
  @HandleRequest(listSignedOrders)
  async listSigned(query: Query) {
    return { orders: finalOrders(await this.after(query)).map(({ text }) => text) };
  }

  private async after({ jobId, after, limit }: Query) {
    const progress = await this.records.executions.progress(jobId);
    return progress ? this.pages.after(jobId, progress, after, limit) : [];
  }
}
