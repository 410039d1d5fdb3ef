import { type JobPlan, makePlan, type PlanRequestBody } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { UnknownTokens } from '../rate-limit/unknown-tokens.ts';
import { weiOf } from '../requests/payment-amount.ts';
import { BodyOf, Serves } from '../requests/serves.ts';
import { PlansInHand } from './plans-in-hand.ts';

/** `POST /plan`: what a job would do, shown before anybody pays. Source: design § 4a. */
@Controller()
export class PlanJobController {
  constructor(
    private readonly requests: RequestClient,
    private readonly tokens: UnknownTokens,
    private readonly inHand: PlansInHand,
  ) {}

  @Serves('planJob')
  async plan(
    @BodyOf('planJob') { tokenAddress, paymentAmount }: PlanRequestBody,
    @CallerParam() caller: Caller,
  ): Promise<JobPlan> {
    await this.tokens.admit(caller, tokenAddress);
    const asked = { tokenAddress, paymentAmountWei: weiOf(paymentAmount).toString() };
    const plan = await this.inHand.run(caller, () => this.requests.request(makePlan, asked));
    this.tokens.remember(tokenAddress);
    return plan;
  }
}
