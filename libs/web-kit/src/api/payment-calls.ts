import type { JobOrdersResponse, JobStatusResponse } from '@maker/contracts';
import { each, isNumber, isText, isTime, isWei, listOf, optional, shape } from './answer-shape.ts';
import { type ApiClient, type CallOptions, jobPath, parseJson } from './api-client.ts';
import { readEvents } from './event-stream.ts';
import { addedPaymentFields, isJobsPlan, specifiedPaymentFields } from './payment-fields.ts';

// Calls that only the payment step makes: functions outside the client, so that the landing's bundle does not contain them.

const isJobOrdersResponse = shape<JobOrdersResponse>({
  orders: listOf(
    shape({
      number: isNumber,
      placedAt: isTime,
      ...each(isText, ['status', 'transactionHash']),
      ...each(isWei, ['tradeWei', 'gasWei', 'tokensBought']),
      ...each(optional(isWei), ['priceX96', 'poolPriceBeforeX96', 'poolPriceAfterX96']),
    }),
  ),
});

const isSignedWei = (value: unknown): boolean => isText(value) && /^-?\d+$/.test(value);

const isQuality = shape({
  ...each(isWei, ['arrivalPriceX96', 'averagePriceX96']),
  shortfall: shape({ totalWei: isSignedWei }),
});

const isReceipt = shape({
  ...each(isWei, ['depositWei', 'feeWei', 'orderBudgetWei', 'tradedWei', 'gasWei', 'tokensBought']),
  ...each(isWei, ['deliveredTokens', 'returnedWei', 'heldWei']),
  ...each(isNumber, ['plannedOrders', 'ordersPlaced', 'ordersFailed']),
  ...each(optional(isNumber), ['pausesInAll', 'standardOrders']),
  heldTokens: optional(isWei),
  nextOrderAt: optional(isTime),
  estimate: shape(each(isNumber, ['lower', 'upper'])),
  token: shape({ address: isText, symbol: isText, decimals: isNumber }),
  paused: optional(shape({ reason: isText, since: isTime })),
  pauses: optional(listOf(shape({ reason: isText, since: isTime, until: optional(isTime) }))),
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

/** `GET /jobs/{jobId}/orders`: at most `limit` orders after a given number. */
export function getJobOrders(
  api: Pick<ApiClient, 'call'>,
  jobId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
  options: CallOptions = {},
) {
  const path = `${jobPath(jobId)}/orders?after=${after}&limit=${limit}` as const;
  return api.call({ ...options, method: 'GET', path, check: isJobOrdersResponse });
}

/** `GET /jobs/{jobId}/status`: payment, job and receipt. */
export function getJobStatus(api: ApiClient, jobId: string, options: CallOptions = {}) {
  return api.call({ ...options, method: 'GET', path: `${jobPath(jobId)}/status`, check: isJobStatusResponse });
}

/**
 * `GET /jobs/{jobId}/events`: the job's status now and after each of its events, until the job or the connection ends.
 * It supplements the polls and never replaces them (design § 8), so its end or failure is no error here.
 */
export async function* followJob(api: ApiClient, jobId: string, signal: AbortSignal) {
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
