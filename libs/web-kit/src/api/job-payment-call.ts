import type { JobPaymentResponse } from '@maker/contracts';
import { optional, shape } from './answer-shape.ts';
import { type ApiClient, type CallOptions, jobPath } from './api-client.ts';
import type { ApiResult } from './api-result.ts';
import { addedPaymentFields, specifiedPaymentFields } from './payment-fields.ts';

/** Answer of `GET /jobs/{jobId}/payment`. Only the fields of the specification are required. */
export type PaymentAnswer = Pick<JobPaymentResponse, 'status' | 'paymentReceived'> & Partial<JobPaymentResponse>;

const isPaymentAnswer = shape<PaymentAnswer>({
  ...specifiedPaymentFields,
  ...Object.fromEntries(Object.entries(addedPaymentFields).map(([name, check]) => [name, optional(check)])),
});

/** `GET /jobs/{jobId}/payment`: polled by the payment step. A function outside the client, so that the landing does not bundle it. */
export function getJobPayment(
  api: Pick<ApiClient, 'call'>,
  jobId: string,
  options: CallOptions = {},
): Promise<ApiResult<PaymentAnswer>> {
  return api.call({ ...options, method: 'GET', path: `${jobPath(jobId)}/payment`, check: isPaymentAnswer });
}
