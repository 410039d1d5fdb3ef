import { type JobPlan, makePlan } from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { Bulkhead } from '../plan/bulkhead.ts';
import { PlansService } from '../plan/plans.service.ts';

/** Plans in hand at once, the questions to others included: a second or two of work. */
const MOST_IN_HAND = 64;

/** So many plans are being made that this one would be given up before it had its turn. */
class TooManyPlans extends RequestFailure {
  constructor() {
    super('OVERLOADED', 'Very many plans are being made at this moment: please try again in a minute');
  }
}

/** Answers `job.plan.make`: nothing is kept of it. */
@Controller()
export class PlanJobHandler {
  private readonly places = new Bulkhead(MOST_IN_HAND);

  constructor(private readonly plans: PlansService) {}

  /** @throws TooManyPlans, or RequestFailure where a job of this budget would not be taken */
  @HandleRequest(makePlan)
  async plan({ tokenAddress, paymentAmountWei }: z.output<typeof makePlan.request>): Promise<JobPlan> {
    const { plan } = await this.places.hold(
      () => this.plans.offer(tokenAddress, BigInt(paymentAmountWei)),
      () => new TooManyPlans(),
    );
    return plan;
  }
}
