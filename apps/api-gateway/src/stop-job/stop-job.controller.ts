import { type StopJobRequest, type StopJobResponse, stopJob } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { BodyOf, Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';

/** `POST /jobs/{jobId}/stop`: whoever has the secret of the creation ends the job. */
@Controller()
export class StopJobController {
  constructor(private readonly requests: RequestClient) {}

  @Serves('stopJob')
  stop(@JobIdParam() jobId: string, @BodyOf('stopJob') { stopSecret }: StopJobRequest): Promise<StopJobResponse> {
    return this.requests.request(stopJob, { jobId, stopSecret });
  }
}
