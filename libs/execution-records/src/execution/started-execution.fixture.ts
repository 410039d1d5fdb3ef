import type { SignedTerms } from '@maker/contracts';
import { DEFAULT_PLAN_LIMITS, PAYMENT_TIMEOUT_MS } from '@maker/rules';
import type { RecipientTrust } from '@maker/signing/agreement';
import { agreementFixture, termsFixture, testAgreementKey } from '@maker/signing/testing';
import type { ActivatedJob } from './activated-job.ts';
import type { Execution } from './execution.ts';
import { derivedPlan } from './execution-plan.ts';
import { startExecution } from './new-execution.ts';

/** The wallet of a started execution. */
export const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Trusts the test key of agreements, and no operator. */
export const TRUST: RecipientTrust = {
  chainId: 31337,
  agreementSigners: [testAgreementKey.address],
  operatorKeys: new Map(),
};

const MADE = new Map<string, SignedTerms>();

/** The signed terms of a job that was activated as agreed. @param stopSecretHash of its stop secret */
export function agreedTerms(job: Omit<ActivatedJob, 'terms'>, stopSecretHash = 'ab'.repeat(32)): SignedTerms {
  const { plan, payerClaim, depositWei, returnAddress, jobId } = job;
  const lower = (address: string) => address.toLowerCase() as `0x${string}`;
  const [tradingEndsAt, latestEndAt] = [plan.tradingEndsAt.toISOString(), plan.latestEndAt.toISOString()];
  const { seenPriceX96, bandBps, slippageBps, impactCapBps, slotMs } = plan;
  const payer = payerClaim ? lower(payerClaim.payer) : null;
  const agreement = agreementFixture({
    ...{ jobId, stopSecretHash, latestEndAt, bandBps, slippageBps, impactCapBps },
    wallet: lower(job.walletAddress),
    tokenAddress: lower(job.tokenAddress),
    amountWei: depositWei.toString(),
    leastWei: depositWei.toString(),
    deadline: new Date(job.activatedAt.getTime() + PAYMENT_TIMEOUT_MS).toISOString(),
    returnAddress: returnAddress && lower(returnAddress),
    seenPriceX96: (seenPriceX96 ?? 0n).toString(),
  });
  const paidAt = job.activatedAt.toISOString();
  const activation = { depositWei: depositWei.toString(), paidAt, payer, slotMs, tradingEndsAt, latestEndAt };
  // Specs ask for the same terms many times, and each takes two signatures.
  const key = JSON.stringify([agreement, activation]);
  const made = MADE.get(key) ?? termsFixture(agreement, [{ activation }]);
  MADE.set(key, made);
  return made;
}

/** A new execution, for specs that need one of any job. @param differences fields of the job that matter to the spec */
export function startedExecution(differences: Partial<ActivatedJob> = {}, now = new Date(0)): Execution {
  const job: ActivatedJob = {
    jobId: 'job_0123456789abcdef0123456789abcdef',
    tokenAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    walletAddress: WALLET,
    walletIndex: 0,
    depositWei: 1000n,
    returnAddress: null,
    plan: derivedPlan(0n, 0, DEFAULT_PLAN_LIMITS),
    activatedAt: new Date(0),
    ...differences,
  };
  return startExecution({ terms: agreedTerms(job), ...job }, WALLET, now, TRUST).execution;
}
