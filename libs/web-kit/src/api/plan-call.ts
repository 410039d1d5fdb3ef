import type { JobPlan, PlanRequestBody } from '@maker/contracts';
import { isNumber, isText, isTime, isWei, listOf, shape } from './answer-shape.ts';
import type { ApiClient, CallOptions } from './api-client.ts';

const isJobPlan = shape<JobPlan>({
  depositWei: isWei,
  feeWei: isWei,
  orderBudgetWei: isWei,
  orders: shape({ count: isNumber, sizeWei: isWei, merged: isNumber, intervalMs: isNumber }),
  expectedEndAt: isTime,
  latestEndAt: isTime,
  spendableWei: isWei,
  purchase: shape({ exchange: isText, tokens: isWei, impactBps: isNumber, priceRiseBps: isNumber }),
  gas: shape({ ordersWei: isWei, transfersWei: isWei }),
  limits: shape({ bandBps: isNumber }),
  warnings: listOf(isText),
  token: shape({ symbol: isText, decimals: isNumber }),
});

/** `POST /plan`: the plan of a job with this budget, at current prices. Source: design § 4a. */
export function getPlan(api: ApiClient, request: PlanRequestBody, options: CallOptions = {}) {
  return api.call({ ...options, method: 'POST', path: '/plan', body: request, check: isJobPlan });
}
