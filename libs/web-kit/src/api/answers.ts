import type { CreateJobResponse, HealthResponse, LiquidityStatus, ValidateTokenResponse } from '@maker/contracts';
import { isBoolean, isNumber, isText, isTime, isWei, optional, shape } from './answer-shape.ts';
import { isJobsPlan } from './payment-fields.ts';

// The fields of the specification are required. All other fields of the gateway are optional, so that the page works with
// every server that implements specification § 3. A field that is optional there may also be null.

/** Answer of `POST /validate-token`. An invalid token needs no liquidity. */
export type ValidationAnswer = Pick<ValidateTokenResponse, 'isValid' | 'errorMessage' | 'token'> & {
  readonly liquidityStatus?: LiquidityStatus;
};

/** Whether a body is an answer of `POST /validate-token`. */
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

/** Answer of `POST /jobs/create`. */
export type CreatedJobAnswer = Pick<
  CreateJobResponse,
  'jobId' | 'paymentAddress' | 'paymentAmount' | 'paymentDeadline'
> &
  Partial<CreateJobResponse>;

/** Whether a body is an answer of `POST /jobs/create`. */
export const isCreatedJobAnswer = shape<CreatedJobAnswer>({
  jobId: isText,
  paymentAddress: isText,
  paymentAmount: isNumber,
  paymentAmountWei: optional(isWei),
  paymentDeadline: isTime,
  plan: optional(isJobsPlan),
  agreement: optional(shape({})),
  stopSecret: optional(isText),
});

/** Whether a body is an answer of `GET /healthz`. */
export const isHealthResponse = shape<HealthResponse>({ status: isText });
