import type { JobPlan, ValidateTokenResponse } from '@maker/contracts';

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

/** Whether a stored value is a job. Storage outlives deployments: what an older or a foreign version wrote is left out. */
export function isOpenJob(value: unknown): value is OpenJob {
  if (typeof value !== 'object' || value === null) return false;
  const job = value as Partial<OpenJob>;
  const texts = [job.jobId, job.paymentAddress, job.paymentAmountWei, job.paymentDeadline, job.createdAt];
  return (
    texts.every((text) => typeof text === 'string') &&
    /^\d+$/.test(job.paymentAmountWei ?? '') &&
    isValidatedToken(job.token)
  );
}

/** Whether a stored value is a token that passed validation. */
export function isValidatedToken(value: unknown): value is ValidatedToken {
  if (typeof value !== 'object' || value === null) return false;
  const { tokenAddress, liquidityStatus } = value as Partial<ValidatedToken>;
  return typeof tokenAddress === 'string' && typeof liquidityStatus === 'object' && liquidityStatus !== null;
}
