import type { CreateJobRequest, HealthResponse } from '@maker/contracts';
import { isCreatedJobAnswer, isHealthResponse, isValidationAnswer, type ValidationAnswer } from './answers.ts';
import type { ApiClient, CallOptions } from './api-client.ts';
import type { ApiResult } from './api-result.ts';

// Functions outside the client, so that only the step that makes a call bundles it.

/** Options of `createJob`. */
export interface CreateJobOptions extends CallOptions {
  /** One per form submission: the API answers a repeated call with the first job. Source: design § 4 'Address'. */
  readonly idempotencyKey: string;
}

/** `POST /validate-token`. A token that cannot be boosted is a success with `isValid: false`. */
export function validateToken(api: ApiClient, tokenAddress: string): Promise<ApiResult<ValidationAnswer>> {
  return api.call({ method: 'POST', path: '/validate-token', body: { tokenAddress }, check: isValidationAnswer });
}

/** `POST /jobs/create`. */
export function createJob(api: ApiClient, request: CreateJobRequest, { idempotencyKey, ...options }: CreateJobOptions) {
  return api.call({
    ...options,
    method: 'POST',
    path: '/jobs/create',
    body: request,
    headers: { 'Idempotency-Key': idempotencyKey },
    check: isCreatedJobAnswer,
  });
}

/** `GET /healthz`. */
export function getHealth(api: ApiClient): Promise<ApiResult<HealthResponse>> {
  return api.call({ method: 'GET', path: '/healthz', check: isHealthResponse });
}
