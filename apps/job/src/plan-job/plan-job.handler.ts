import { type JobPlan, makePlan } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { PlansService } from '../plan/plans.service.ts';

/** Answers `job.plan.make`: nothing is kept of it. */
@Controller()
export class PlanJobHandler {
  constructor(private readonly plans: PlansService) {}

  /** @throws RequestFailure where a job of this budget would not be taken */
  @HandleRequest(makePlan)
  async plan({ tokenAddress, paymentAmountWei }: z.output<typeof makePlan.request>): Promise<JobPlan> {
    const { plan } = await this.plans.offer(tokenAddress, BigInt(paymentAmountWei));
    return plan;
  }
}
