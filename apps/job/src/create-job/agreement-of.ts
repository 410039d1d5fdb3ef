import type { Agreement } from '@maker/contracts';
import { leastStartingWei } from '@maker/rules';
import { agreementClaim } from '@maker/signing/agreement';
import type { Job } from '../job/job.ts';
import type { IdempotencyClaim } from '../job/jobs.repository.ts';

const time = (ms: number) => new Date(ms).toISOString();
const lower = (address: string) => address.toLowerCase() as `0x${string}`;

/** What a new job is created for, to be signed. Source: docs/adr/0145. */
export function agreementOf(
  job: Job,
  stopSecretHash: string,
  claim: Pick<IdempotencyClaim, 'apiKeyName' | 'keyHash'> | undefined,
  chainId: number,
): Agreement {
  const { plan, returnAddress } = job;
  return {
    jobId: job.jobId,
    chainId,
    wallet: lower(job.paymentAddress),
    tokenAddress: lower(job.tokenAddress),
    amountWei: job.paymentAmountWei.toString(),
    leastWei: leastStartingWei(job.paymentAmountWei).toString(),
    deadline: time(job.paymentDeadlineMs),
    returnAddress: returnAddress === null ? null : lower(returnAddress),
    seenPriceX96: plan.purchase.seenPriceX96,
    bandBps: plan.limits.bandBps,
    slippageBps: plan.limits.slippageBps,
    impactCapBps: plan.limits.impactCapBps,
    latestEndAt: plan.latestEndAt,
    stopSecretHash,
    claim: agreementClaim(claim?.apiKeyName, claim?.keyHash),
    createdAt: time(job.createdAtMs),
  };
}
