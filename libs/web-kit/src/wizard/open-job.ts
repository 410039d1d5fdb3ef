import type { JobPlan, ValidateTokenResponse } from '@maker/contracts';
import { isText, isWei, shape } from '../api/answer-shape.ts';

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
  /** ISO 8601, by the server's clock; orders the list of recent jobs. */
  readonly createdAt: string;
  /** As it was when the job was created; absent for a job that was opened by a link. */
  readonly plan?: JobPlan | undefined;
  /** Opened by a link to share: somebody else's, so it joins no list of this browser. */
  readonly isShared?: true;
  /** Lets this browser stop the job. It is told once and leaves this browser only to stop. */
  readonly stopSecret?: string;
}

/** Whether a stored value is a token that passed validation. */
export const isValidatedToken = shape<ValidatedToken>({ tokenAddress: isText, liquidityStatus: shape({}) });

/** Whether a stored value is a job. Storage outlives deployments: what an older or a foreign version wrote is left out. */
export const isOpenJob = shape<OpenJob>({
  jobId: isText,
  token: isValidatedToken,
  paymentAddress: isText,
  paymentAmountWei: isWei,
  paymentDeadline: isText,
  createdAt: isText,
});
