import type { JobOrdersQuery, JobOrdersResponse } from '@maker/contracts';
import { Controller } from '@nestjs/common';
import { QueryOf, Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { JobOrdersReader } from './job-orders.reader.ts';

/** `GET /jobs/{jobId}/orders`: the orders after a number. Source: design § 2.6. */
@Controller()
export class JobOrdersController {
  constructor(private readonly orders: JobOrdersReader) {}

  @Serves('listJobOrders')
  list(@JobIdParam() jobId: string, @QueryOf('listJobOrders') query: JobOrdersQuery): Promise<JobOrdersResponse> {
    return this.orders.page(jobId, query);
  }
}
