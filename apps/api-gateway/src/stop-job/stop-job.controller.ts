import { type StopJobRequest, type StopJobResponse, stopJob, stopJobRequestSchema } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { JobIdParam } from '../requests/validation.ts';

/** `POST /jobs/{jobId}/stop`: whoever has the secret of the creation ends the job. */
@Controller('jobs/:jobId')
export class StopJobController {
  constructor(
    private readonly requests: RequestClient,
    @Inject(GATEWAY_CONFIGURATION) private readonly configuration: GatewayConfiguration,
  ) {}

  @Post('stop')
  @HttpCode(200)
  stop(
    @JobIdParam() jobId: string,
    @Body({ schema: stopJobRequestSchema }) { stopSecret }: StopJobRequest,
  ): Promise<StopJobResponse> {
    return this.requests.request(stopJob, { jobId, stopSecret }, this.configuration.REQUEST_TIMEOUT_MS);
  }
}
