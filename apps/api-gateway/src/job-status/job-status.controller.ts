import type { JobStatusResponse } from '@maker/contracts';
import { Controller } from '@nestjs/common';
import { Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** `GET /jobs/{jobId}/status`. Source: specification § 7. */
@Controller()
export class JobStatusController {
  constructor(private readonly snapshot: StatusSnapshot) {}

  @Serves('getJobStatus')
  status(@JobIdParam() jobId: string): Promise<JobStatusResponse> {
    return this.snapshot.status(jobId);
  }
}
