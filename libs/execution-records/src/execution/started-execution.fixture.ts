import { DEFAULT_PLAN_LIMITS } from '@maker/rules';
import type { Execution } from './execution.ts';
import { derivedPlan } from './execution-plan.ts';
import { type ActivatedJob, startExecution } from './new-execution.ts';

/** The wallet of a started execution. */
export const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

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
    stopCommitments: [],
    activatedAt: new Date(0),
    ...differences,
  };
  return startExecution(job, WALLET, now).execution;
}
