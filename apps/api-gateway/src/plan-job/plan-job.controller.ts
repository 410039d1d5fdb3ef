import { type JobPlan, makePlan, type PlanRequestBody, planRequestSchema } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { weiOf } from '../requests/payment-amount.ts';

/** `POST /plan`: what a job would do, shown before anybody pays. Source: design § 4a. */
@Controller()
export class PlanJobController {
  constructor(
    private readonly requests: RequestClient,
    @Inject(GATEWAY_CONFIGURATION) private readonly configuration: GatewayConfiguration,
  ) {}

  @Post('plan')
  @HttpCode(200)
  plan(@Body({ schema: planRequestSchema }) { tokenAddress, paymentAmount }: PlanRequestBody): Promise<JobPlan> {
    const asked = { tokenAddress, paymentAmountWei: weiOf(paymentAmount).toString() };
    return this.requests.request(makePlan, asked, this.configuration.REQUEST_TIMEOUT_MS);
  }
}
