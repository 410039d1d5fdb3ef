import type { JobPlan, SignedAgreement, ValidateTokenResponse } from '@maker/contracts';
import { isText, isWei, shape } from '../api/answer-shape.ts';

/** A token that passed validation, with the facts that later steps show. Plain JSON, because it is stored with the job. */
export interface ValidatedToken {
  readonly tokenAddress: string;
  readonly liquidityStatus: ValidateTokenResponse['liquidityStatus'];
  readonly token?: NonNullable<ValidateTokenResponse['token']>;
}

/** A created job, as the payment step shows it before the API answers. Plain JSON. */
export interface OpenJob {
  readonly jobId: string;
  readonly token: ValidatedToken;
  /** The address of the job's wallet. */
  readonly paymentAddress: string;
  /** Decimal string, wei. */
  readonly paymentAmountWei: string;
  /** ISO 8601. */
  readonly paymentDeadline: string;
  /** ISO 8601, by the server's clock; orders the list of recent jobs. */
  readonly createdAt: string;
  /** The plan when the job was created; absent for a job opened by a link. */
  readonly plan?: JobPlan | undefined;
  /** What the service agreed to before the payment, with its signature: the receipt must contain the same. */
  readonly agreement?: SignedAgreement;
  /** Opened by a link to share: another payer's job, so no list of this browser contains it. */
  readonly isShared?: true;
  /** Allows this browser to stop the job. The API sends it once; the browser sends it only to stop. */
  readonly stopSecret?: string;
  /** The visitor entered the secret here: it may be wrong, and another one can replace it. */
  readonly isCodeTyped?: true;
}

/** Whether a stored value is a token that passed validation. */
export const isValidatedToken = shape<ValidatedToken>({ tokenAddress: isText, liquidityStatus: shape({}) });

/** Whether a stored value is a job. Storage outlives deployments, so this skips what another version wrote. */
export const isOpenJob = shape<OpenJob>({
  jobId: isText,
  token: isValidatedToken,
  paymentAddress: isText,
  paymentAmountWei: isWei,
  paymentDeadline: isText,
  createdAt: isText,
});
