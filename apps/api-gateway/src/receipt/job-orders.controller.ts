import { type JobOrdersQuery, type JobOrdersResponse, jobOrdersQuerySchema } from '@maker/contracts';
import { Controller, Get, Query } from '@nestjs/common';
import { JobIdParam } from '../requests/validation.ts';
import { JobOrdersReader } from './job-orders.reader.ts';

/** `GET /jobs/{jobId}/orders`: the orders after a number. Source: design § 2.6. */
@Controller('jobs/:jobId')
export class JobOrdersController {
  constructor(private readonly orders: JobOrdersReader) {}

  @Get('orders')
  list(
    @JobIdParam() jobId: string,
    @Query({ schema: jobOrdersQuerySchema }) query: JobOrdersQuery,
  ): Promise<JobOrdersResponse> {
    return this.orders.page(jobId, query);
  }
}
