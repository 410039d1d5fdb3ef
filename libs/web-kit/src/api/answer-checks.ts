import type { HealthResponse } from '@maker/contracts';
import { isBoolean, isNumber, isText, isTime, isWei, optional, shape } from './answer-shape.ts';
import type { CreatedJobAnswer, PaymentAnswer, StatsAnswer, ValidationAnswer } from './answers.ts';
import { addedPaymentFields, isJobsPlan, specifiedPaymentFields } from './payment-fields.ts';

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
