import type {
  CreateJobResponse,
  JobPaymentResponse,
  LiquidityStatus,
  StatsResponse,
  ValidateTokenResponse,
} from '@maker/contracts';

// What the specification names must be there; whatever else the gateway adds may be missing, so that the page works
// with every server that keeps specification § 3. A field that is optional there may also be null.

/** Answer of `POST /validate-token`. An invalid token needs no liquidity. */
export type ValidationAnswer = Pick<ValidateTokenResponse, 'isValid' | 'errorMessage' | 'token'> & {
  readonly liquidityStatus?: LiquidityStatus;
};

/** Answer of `POST /jobs/create`. */
export type CreatedJobAnswer = Pick<
  CreateJobResponse,
  'jobId' | 'paymentAddress' | 'paymentAmount' | 'paymentDeadline'
> &
  Partial<CreateJobResponse>;

/** Answer of `GET /jobs/{jobId}/payment`. */
export type PaymentAnswer = Pick<JobPaymentResponse, 'status' | 'paymentReceived'> & Partial<JobPaymentResponse>;

/** Answer of `GET /stats`. */
export type StatsAnswer = Pick<StatsResponse, 'jobs'> & {
  readonly latestJob?: { readonly tokenAddress?: string | null } | null;
};
