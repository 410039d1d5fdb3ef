import type { JobPaymentResponse, JobStatusResponse } from '@maker/contracts';
import { Controller, Get } from '@nestjs/common';
import { JobIdParam } from '../requests/validation.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** `GET /jobs/{jobId}/payment`, which the browser polls, and `GET /jobs/{jobId}/status`. Source: specification § 7. */
@Controller('jobs/:jobId')
export class JobStatusController {
  constructor(private readonly snapshot: StatusSnapshot) {}

  @Get('payment')
  payment(@JobIdParam() jobId: string): Promise<JobPaymentResponse> {
    return this.snapshot.payment(jobId);
  }

  @Get('status')
  status(@JobIdParam() jobId: string): Promise<JobStatusResponse> {
    return this.snapshot.status(jobId);
  }
}
