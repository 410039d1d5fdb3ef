import type { HealthResponse } from '@maker/contracts';
import { isBoolean, isNumber, isText, isTime, isWei, optional, type Shape, shape } from './answer-shape.ts';
import type { CreatedJobAnswer, PaymentAnswer, StatsAnswer, ValidationAnswer } from './answers.ts';

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

/** What is shown of a plan where it comes with a job. */
export const isJobsPlan = shape({ expectedEndAt: isTime, latestEndAt: isTime });

/** Whether a body answers `POST /jobs/create`. */
export const isCreatedJobAnswer = shape<CreatedJobAnswer>({
  jobId: isText,
  paymentAddress: isText,
  paymentAmount: isNumber,
  paymentAmountWei: optional(isWei),
  paymentDeadline: isTime,
  plan: optional(isJobsPlan),
  stopSecret: optional(isText),
});

/** What the specification names of a payment. Source: specification § 3. */
export const specifiedPaymentFields: Shape = { status: isText, paymentReceived: isBoolean };

/** What the gateway tells of it beside. */
export const addedPaymentFields: Shape = {
  jobId: isText,
  paymentAddress: isText,
  paymentAmountWei: isWei,
  paymentDeadline: isTime,
  waitingWei: optional(isWei),
  receivedWei: isWei,
  lateWei: isWei,
  droppedWei: optional(isWei),
  depositTransactions: optional(Array.isArray),
  foundTokens: optional(Array.isArray),
  namedReturnAddress: optional(isText),
  payerUnknown: optional(isBoolean),
  proposedReturnAddress: optional(isText),
  flags: shape({ underpaid: isBoolean, overpaid: isBoolean, late: isBoolean }),
};

/** Whether a body answers `GET /jobs/{jobId}/payment`. */
export const isPaymentAnswer = shape<PaymentAnswer>({
  ...specifiedPaymentFields,
  ...Object.fromEntries(Object.entries(addedPaymentFields).map(([name, check]) => [name, optional(check)])),
});

/** Whether a body answers `GET /stats`. */
export const isStatsAnswer = shape<StatsAnswer>({
  jobs: shape({ active: isNumber }),
  latestJob: optional(shape({ tokenAddress: optional(isText) })),
});

/** Whether a body answers `GET /healthz`. */
export const isHealthResponse = shape<HealthResponse>({ status: isText });
