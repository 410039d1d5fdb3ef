import type { SignedTerms } from '@maker/contracts';
import { RequestFailure } from '@maker/messaging';
import { isDust } from '@maker/rules';
import { isPayerUnknown, type Job } from '../job/job.ts';
import type { JobChange } from '../job/job-change.ts';
import type { Refund } from '../refund/refund.ts';

/** The job is active or over, and its return address is known: it is final. */
export class ReturnAddressIsFixed extends RequestFailure {
  constructor() {
    super('NOT_POSSIBLE_NOW', 'The job has started or ended. The return address can no longer be changed.');
  }
}

/** The agreement has as many amendments as it may have. */
export class ChangedTooOften extends RequestFailure {
  constructor() {
    super('NOT_POSSIBLE_NOW', 'The return address was changed too often. Create another job.');
  }
}

/**
 * Changes a job's return address until the job is active, also after a part of the payment came. Source: docs/adr/0149.
 * @param returnAddress lower case, usable @param terms with the signed amendment that names it @throws ReturnAddressIsFixed
 */
export function changeReturnAddress(job: Job, returnAddress: string, terms: SignedTerms): JobChange {
  if (job.status !== 'pending_payment') throw new ReturnAddressIsFixed();
  return { before: job, after: { ...job, returnAddress, requestedReturnAddress: returnAddress, terms } };
}

/**
 * Records the return address that the holder of the stop secret proposes for money of an unknown payer. It moves no money:
 * operators check the claim, and release by a signed command.
 * @param returnAddress lower case, usable @param refunds of the job @throws ReturnAddressIsFixed
 */
export function proposeReturnAddress(
  job: Job,
  returnAddress: string,
  refunds: readonly Pick<Refund, 'status' | 'to' | 'amountWei'>[],
): JobChange {
  const isHeldWithoutRecipient = refunds.some(
    ({ status, to, amountWei }) => status === 'held' && to === null && !isDust(amountWei),
  );
  if (job.requestedReturnAddress !== null || !(isPayerUnknown(job) || isHeldWithoutRecipient))
    throw new ReturnAddressIsFixed();
  return { before: job, after: { ...job, proposedReturnAddress: returnAddress } };
}
