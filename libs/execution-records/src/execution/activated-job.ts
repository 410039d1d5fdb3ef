import type { Recipients } from '@maker/chain';
import type { jobActivated } from '@maker/contracts';
import type { ParsedEvent } from '@maker/messaging';
import { type Address, getAddress } from 'viem';
import type { z } from 'zod';
import type { Execution } from './execution.ts';
import { agreedPlan, type ExecutionPlan } from './execution-plan.ts';
import { REFUSED_RECIPIENT } from './held-reason.ts';
import { transferClaims } from './transfer-claims.ts';

type JobActivated = z.output<typeof jobActivated.data>;

/** A job that became active, as its event reports it. */
export interface ActivatedJob
  extends Required<Pick<Execution, 'activatedAt'>>,
    Pick<Execution, 'walletAddress' | 'walletIndex' | 'tokenAddress' | 'depositWei' | 'payerClaim' | 'terms'> {
  /** That the visitor named; null if none. */
  readonly returnAddress: Address | null;
  readonly jobId: string;
  readonly plan: ExecutionPlan;
  /** Why the reported return address is refused. */
  readonly refusedAddress?: string;
}

/** Reads a job from the event of its activation. Nothing of it is verified yet. @param recipients judge the recipient's address */
export function activatedJob(
  { jobId, occurredAt, data }: ParsedEvent<JobActivated>,
  recipients: Pick<Recipients, 'read'>,
): ActivatedJob {
  const tokenAddress = getAddress(data.tokenAddress);
  return {
    jobId,
    tokenAddress,
    walletAddress: getAddress(data.walletAddress),
    walletIndex: data.walletIndex,
    depositWei: BigInt(data.depositWei),
    ...recipientOf(data, tokenAddress, recipients),
    ...(data.terms && { terms: data.terms }),
    plan: agreedPlan(data.plan),
    activatedAt: new Date(occurredAt),
  };
}

/** Returns the recipient of the rest: the visitor's address, or a reported payer that the chain must still prove. */
function recipientOf(
  { returnAddress, paidBy }: JobActivated,
  tokenAddress: Address,
  recipients: Pick<Recipients, 'read'>,
): Pick<ActivatedJob, 'returnAddress' | 'payerClaim' | 'refusedAddress'> {
  if (returnAddress === null) return { returnAddress };
  const recipient = recipients.read(returnAddress, tokenAddress);
  const refused = recipient.ok ? {} : { refusedAddress: `${REFUSED_RECIPIENT}: ${recipient.problem}` };
  const address = getAddress(returnAddress);
  if (!paidBy) return { returnAddress: address, ...refused };
  const payerClaim = { payer: address, transfers: transferClaims(paidBy), isProven: false };
  return { returnAddress: null, payerClaim, ...refused };
}
