import type { ValidateTokenResponse } from '@maker/contracts';

/** A token that passed validation: what the later steps show of it. Plain JSON, because it is stored with the job. */
export interface ValidatedToken {
  readonly tokenAddress: string;
  readonly liquidityStatus: ValidateTokenResponse['liquidityStatus'];
  readonly token?: NonNullable<ValidateTokenResponse['token']>;
}

/** A created job as the payment step needs it before the API has answered. Plain JSON. */
export interface OpenJob {
  readonly jobId: string;
  readonly token: ValidatedToken;
  /** The job's one public wallet. */
  readonly paymentAddress: string;
  /** Decimal string, wei. */
  readonly paymentAmountWei: string;
  /** ISO 8601. */
  readonly paymentDeadline: string;
  /** ISO 8601, by the visitor's clock; orders the list of recent jobs. */
  readonly createdAt: string;
}
