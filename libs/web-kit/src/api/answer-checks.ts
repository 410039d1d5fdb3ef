import type { HealthResponse, JobOrdersResponse, JobPlan, JobStatusResponse, StopJobResponse } from '@maker/contracts';
import type { CreatedJobAnswer, PaymentAnswer, StatsAnswer, ValidationAnswer } from './answers.ts';

// The schemas of the contracts would bring all of zod to the browser. These checks look at the shape that a page
// needs so that a wrong answer becomes an error message and not a broken page; the gateway's own tests hold the rest.

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isWei = (value: unknown): boolean => isText(value) && /^\d+$/.test(value);
const isTime = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value));

const optional =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || value === null || check(value);

const listOf =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(check);

const shape =
  <Data>(fields: Shape) =>
  (value: unknown): value is Data =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(fields).every(([name, check]) => check((value as Readonly<Record<string, unknown>>)[name]));

/** Whether a body answers `POST /validate-token`. */
export const isValidationAnswer = shape<ValidationAnswer>({
  isValid: isBoolean,
  errorMessage: optional(isText),
  liquidityStatus: optional(
    shape({
      meetsMinimum: isBoolean,
      hasV2: optional(isBoolean),
      hasV3: optional(isBoolean),
      selectedDex: optional(isText),
      v2LiquidityHype: optional(isNumber),
      v3LiquidityHype: optional(isNumber),
    }),
  ),
  token: optional(shape({ symbol: isText, name: isText, decimals: isNumber })),
});

/** Whether a body answers `POST /plan`. */
export const isJobPlan = shape<JobPlan>({
  orderBudgetWei: isWei,
  orders: shape({ count: isNumber, sizeWei: isWei, merged: isNumber, intervalMs: isNumber }),
  expectedEndAt: isTime,
  latestEndAt: isTime,
  spendableWei: isWei,
  purchase: shape({ exchange: isText, tokens: isWei, impactBps: isNumber, priceRiseBps: isNumber }),
  limits: shape({ bandBps: isNumber }),
  warnings: listOf(isText),
  token: shape({ symbol: isText, decimals: isNumber }),
});

/** Whether a body answers `POST /jobs/{jobId}/stop`. */
export const isStopJobResponse = shape<StopJobResponse>({ status: isText, outcome: isText });

/** Whether a body answers `POST /jobs/create`. */
export const isCreatedJobAnswer = shape<CreatedJobAnswer>({
  jobId: isText,
  paymentAddress: isText,
  paymentAmount: isNumber,
  paymentAmountWei: optional(isWei),
  paymentDeadline: isTime,
  plan: optional(isJobPlan),
  stopSecret: optional(isText),
});

const specifiedPaymentFields: Shape = { status: isText, paymentReceived: isBoolean };

const addedPaymentFields: Shape = {
  jobId: isText,
  paymentAddress: isText,
  paymentAmountWei: isWei,
  paymentDeadline: isTime,
  receivedWei: isWei,
  lateWei: isWei,
  droppedWei: optional(isWei),
  flags: shape({ underpaid: isBoolean, overpaid: isBoolean, late: isBoolean }),
};

/** Whether a body answers `GET /jobs/{jobId}/payment`. */
export const isPaymentAnswer = shape<PaymentAnswer>({
  ...specifiedPaymentFields,
  ...Object.fromEntries(Object.entries(addedPaymentFields).map(([name, check]) => [name, optional(check)])),
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
  transfers: listOf(shape({ kind: isText, transactionHash: isText, amount: isWei })),
});

/** Whether a body answers `GET /jobs/{jobId}/status`. */
export const isJobStatusResponse = shape<JobStatusResponse>({
  ...specifiedPaymentFields,
  ...addedPaymentFields,
  tokenAddress: isText,
  createdAt: isTime,
  plan: optional(isJobPlan),
  stopRequestedAt: optional(isTime),
  receipt: optional(isReceipt),
});

/** Whether a body answers `GET /jobs/{jobId}/orders`. */
export const isJobOrdersResponse = shape<JobOrdersResponse>({
  orders: listOf(
    shape({
      number: isNumber,
      status: isText,
      transactionHash: isText,
      tradeWei: isWei,
      gasWei: isWei,
      tokensBought: isWei,
      placedAt: isTime,
    }),
  ),
});

/** Whether a body answers `GET /stats`. */
export const isStatsAnswer = shape<StatsAnswer>({
  jobs: shape({ active: isNumber }),
  latestJob: optional(shape({ tokenAddress: optional(isText) })),
});

/** Whether a body answers `GET /healthz`. */
export const isHealthResponse = shape<HealthResponse>({ status: isText });
