import type { JobOrdersResponse, JobStatusResponse, StopJobResponse } from '@maker/contracts';
import { isNumber, isText, isTime, isWei, listOf, optional, shape } from './answer-shape.ts';
import { type ApiClient, type CallOptions, jobPath, parseJson } from './api-client.ts';
import type { ApiResult } from './api-result.ts';
import { readEvents } from './event-stream.ts';
import { addedPaymentFields, isJobsPlan, specifiedPaymentFields } from './payment-fields.ts';

// Calls that the payment step alone makes: functions beside the client, so that the landing does not carry them.

const isStopJobResponse = shape<StopJobResponse>({ status: isText, outcome: isText });

const isJobOrdersResponse = shape<JobOrdersResponse>({
  orders: listOf(
    shape({
      number: isNumber,
      status: isText,
      transactionHash: isText,
      tradeWei: isWei,
      gasWei: isWei,
      tokensBought: isWei,
      placedAt: isTime,
      priceX96: optional(isWei),
      poolPriceBeforeX96: optional(isWei),
      poolPriceAfterX96: optional(isWei),
    }),
  ),
});

const isSignedWei = (value: unknown): boolean => isText(value) && /^-?\d+$/.test(value);

const isQuality = shape({
  arrivalPriceX96: isWei,
  averagePriceX96: isWei,
  slippageBps: isNumber,
  priceImpactBps: isNumber,
  shortfall: shape({
    totalWei: isSignedWei,
    impactWei: isSignedWei,
    driftWei: isSignedWei,
    poolFeeWei: isSignedWei,
    gasWei: isSignedWei,
    serviceFeeWei: isSignedWei,
  }),
  againstSingleSwapBps: optional(isNumber),
  againstTwapBps: optional(isNumber),
});

const isReceipt = shape({
  depositWei: isWei,
  feeWei: isWei,
  orderBudgetWei: isWei,
  plannedOrders: isNumber,
  estimate: shape({ lower: isNumber, upper: isNumber }),
  ordersPlaced: isNumber,
  ordersFailed: isNumber,
  tradedWei: isWei,
  gasWei: isWei,
  tokensBought: isWei,
  token: shape({ address: isText, symbol: isText, decimals: isNumber }),
  nextOrderAt: optional(isTime),
  paused: optional(shape({ reason: isText, since: isTime })),
  deliveredTokens: isWei,
  returnedWei: isWei,
  heldWei: isWei,
  heldTokens: optional(isWei),
  pauses: optional(listOf(shape({ reason: isText, since: isTime, until: optional(isTime) }))),
  pausesInAll: optional(isNumber),
  standardOrders: optional(isNumber),
  quality: optional(isQuality),
  rules: optional(shape({ seenPriceX96: optional(isWei), bandBps: isNumber })),
  transfers: listOf(shape({ kind: isText, transactionHash: isText, amount: isWei })),
});

const isJobStatusResponse = shape<JobStatusResponse>({
  ...specifiedPaymentFields,
  ...addedPaymentFields,
  tokenAddress: isText,
  createdAt: isTime,
  plan: optional(isJobsPlan),
  stopRequestedAt: optional(isTime),
  receipt: optional(isReceipt),
});

/** `POST /jobs/{jobId}/stop`: no further order, delivery of what was bought, return of the rest. A repetition is answered alike. */
export function stopJob(api: ApiClient, jobId: string, stopSecret: string): Promise<ApiResult<StopJobResponse>> {
  return api.call({
    method: 'POST',
    path: `${jobPath(jobId)}/stop`,
    body: { stopSecret },
    check: isStopJobResponse,
  });
}

/** Which orders are asked for. */
export interface OrdersPage {
  /** The page begins with the order after this number. */
  readonly after: number;
  readonly limit: number;
}

/** `GET /jobs/{jobId}/orders`. */
export function getJobOrders(
  api: Pick<ApiClient, 'call'>,
  jobId: string,
  { after, limit }: OrdersPage,
  options: CallOptions = {},
): Promise<ApiResult<JobOrdersResponse>> {
  const path = `${jobPath(jobId)}/orders?after=${after}&limit=${limit}` as const;
  return api.call({ ...options, method: 'GET', path, check: isJobOrdersResponse });
}

/** `GET /jobs/{jobId}/status`: payment, job and receipt. */
export function getJobStatus(
  api: ApiClient,
  jobId: string,
  options: CallOptions = {},
): Promise<ApiResult<JobStatusResponse>> {
  return api.call({ ...options, method: 'GET', path: `${jobPath(jobId)}/status`, check: isJobStatusResponse });
}

/**
 * `GET /jobs/{jobId}/events`: the job's status now and after each of its events, until the job or the connection ends.
 * Stands beside the polls, never instead of them (design § 8), so an end or a failure is no error here.
 */
export async function* followJob(
  api: ApiClient,
  jobId: string,
  signal: AbortSignal,
): AsyncGenerator<JobStatusResponse> {
  try {
    const response = await api.stream(`${jobPath(jobId)}/events`, signal);
    if (!response.ok || !response.body) return;
    for await (const { type, data } of readEvents(response.body)) {
      const status = parseJson(data);
      if (type === 'status' && isJobStatusResponse(status)) yield status;
    }
  } catch {
    return;
  }
}
