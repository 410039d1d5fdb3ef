import {
  type JobPlan,
  makePlan,
  type planRequestSchema,
  type ValidateTokenRequest,
  type ValidateTokenResponse,
  validateToken,
} from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { UnknownTokens } from '../rate-limit/unknown-tokens.ts';
import { BodyOf, Serves } from '../requests/serves.ts';
import { PlansBulkhead } from './plans-bulkhead.ts';

/** Endpoints that show what a job would do, before a payment. Source: specification § 7, design § 4a. */
@Controller()
export class PlansController {
  constructor(
    private readonly requests: RequestClient,
    private readonly tokens: UnknownTokens,
    private readonly bulkhead: PlansBulkhead,
  ) {}

  @Serves('validateToken')
  async validate(
    @BodyOf('validateToken') body: ValidateTokenRequest,
    @CallerParam() caller: Caller,
  ): Promise<ValidateTokenResponse> {
    await this.tokens.admit(caller, body.tokenAddress);
    const verdict = await this.requests.request(validateToken, { ...body, clientAddress: caller.address });
    if (verdict.isValid) this.tokens.remember(body.tokenAddress);
    return verdict;
  }

  @Serves('planJob')
  async plan(
    @BodyOf('planJob') { tokenAddress, paymentAmount }: z.output<typeof planRequestSchema>,
    @CallerParam() caller: Caller,
  ): Promise<JobPlan> {
    await this.tokens.admit(caller, tokenAddress);
    const paymentAmountWei = paymentAmount.toString();
    const request = { tokenAddress, paymentAmountWei, clientAddress: caller.address };
    const plan = await this.bulkhead.run(caller, () => this.requests.request(makePlan, request));
    this.tokens.remember(tokenAddress);
    return plan;
  }
}
