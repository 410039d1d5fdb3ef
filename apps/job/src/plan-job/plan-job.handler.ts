import { type JobPlan, makePlan } from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { widestNetwork } from '../network/networks.ts';
import { Bulkhead } from '../plan/bulkhead.ts';
import { PlansService } from '../plan/plans.service.ts';

/** Most concurrent plans, with their requests to other services: 1 to 2 s of work. */
const MOST_IN_HAND = 64;

/** Too many plans are being made: this one would time out in the queue. */
class TooManyPlans extends RequestFailure {
  constructor() {
    super('OVERLOADED', 'The service is making too many plans at the moment. Please try again in a minute.');
  }
}

/** Answers `job.plan.make`. Stores nothing. */
@Controller()
export class PlanJobHandler {
  private readonly places = new Bulkhead(MOST_IN_HAND);

  constructor(private readonly plans: PlansService) {}

  /** @throws TooManyPlans, or RequestFailure if a job of this budget would be refused */
  @HandleRequest(makePlan)
  async plan({ tokenAddress, paymentAmountWei, clientAddress }: z.output<typeof makePlan.request>): Promise<JobPlan> {
    const network = widestNetwork(clientAddress);
    const { plan } = await this.places.hold(
      () => this.plans.offer({ tokenAddress, network }, BigInt(paymentAmountWei)),
      () => new TooManyPlans(),
      network,
    );
    return plan;
  }
}
