import type { JobStatusResponse } from '@maker/contracts';
import { Controller, Header } from '@nestjs/common';
import { JSON_TYPE } from '../requests/json-type.ts';
import { Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** `GET /jobs/{jobId}/payment`, which the browser polls, and `GET /jobs/{jobId}/status`. Source: specification § 7. */
@Controller()
export class JobStatusController {
  constructor(private readonly snapshot: StatusSnapshot) {}

  @Serves('getJobPayment')
  @Header('content-type', JSON_TYPE)
  payment(@JobIdParam() jobId: string): Promise<string> {
    return this.snapshot.payment(jobId);
  }

  @Serves('getJobStatus')
  status(@JobIdParam() jobId: string): Promise<JobStatusResponse> {
    return this.snapshot.status(jobId);
  }
}
