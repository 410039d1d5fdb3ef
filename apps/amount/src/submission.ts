import type { CreateJobRequest } from '@maker/contracts';
import { formatHype, hypeNumberToWei } from '@maker/rules';
import type { CreatedJobAnswer, OpenJob, ValidatedToken } from '@maker/web-kit';

/** The body of `POST /jobs/create`. @param amountWei wei, valid @param returnAddress as typed, valid or empty */
export function jobRequest(
  token: ValidatedToken,
  amountWei: bigint,
  returnAddress: string,
  returnAddressIsContract = false,
): CreateJobRequest {
  const address = returnAddress.trim();
  return {
    tokenAddress: token.tokenAddress as CreateJobRequest['tokenAddress'],
    paymentAmount: Number(formatHype(amountWei)),
    ...(address === '' ? {} : { returnAddress: address as `0x${string}` }),
    ...(address !== '' && returnAddressIsContract && { returnAddressIsContract }),
  };
}

/** The created job as the wizard keeps it. @param createdAt by the server's clock */
export function openJob(token: ValidatedToken, response: CreatedJobAnswer, createdAt: Date): OpenJob {
  const { jobId, paymentAddress, paymentAmount, paymentDeadline } = response;
  const paymentAmountWei = response.paymentAmountWei ?? hypeNumberToWei(paymentAmount).toString();
  return {
    jobId,
    token,
    paymentAddress,
    paymentAmountWei,
    paymentDeadline,
    createdAt: createdAt.toISOString(),
    ...(response.plan && { plan: response.plan }),
    ...(response.stopSecret && { stopSecret: response.stopSecret }),
  };
}

/**
 * Idempotency keys of one showing of the form: the same content keeps its key, so that pressing CONTINUE again after a lost
 * answer returns the job that already exists; any other content gets a new one. Source: design § 4 'Address'.
 */
export class IdempotencyKeys {
  private readonly create: () => string;
  private last?: { readonly content: string; readonly key: string };

  constructor(create: () => string) {
    this.create = create;
  }

  /** The key for a request. */
  keyFor(request: CreateJobRequest): string {
    const content = JSON.stringify(request);
    if (this.last?.content !== content) this.last = { content, key: this.create() };
    return this.last.key;
  }
}
