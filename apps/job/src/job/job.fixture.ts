import { assessDeposits, WEI_PER_HYPE } from '@maker/rules';
import type { Deposit } from '../deposit/deposit.ts';
import { planFixture } from '../plan/market.fixture.ts';
import { type Job, noDeposits } from './job.ts';

/** Deadline of the jobs that specs use, ms. */
export const DEADLINE_MS = 1_000_000;

const PLAN = planFixture(WEI_PER_HYPE / 2n);

const TERMS: NonNullable<Job['terms']> = {
  amendments: [],
  signature: `0x${'5'.repeat(130)}`,
  agreement: {
    jobId: `job_${'a'.repeat(32)}`,
    chainId: 31337,
    wallet: `0x${'2'.repeat(40)}`,
    tokenAddress: `0x${'1'.repeat(40)}`,
    amountWei: '500000000000000000',
    leastWei: '495000000000000000',
    deadline: new Date(DEADLINE_MS).toISOString(),
    returnAddress: null,
    seenPriceX96: PLAN.purchase.seenPriceX96,
    bandBps: PLAN.limits.bandBps,
    slippageBps: PLAN.limits.slippageBps,
    impactCapBps: PLAN.limits.impactCapBps,
    latestEndAt: PLAN.latestEndAt,
    stopSecretHash: 'ab'.repeat(32),
    claim: 'cd'.repeat(32),
    createdAt: new Date(0).toISOString(),
  },
};

/** A job of 0.5 HYPE that waits for its payment, for specs. */
export function jobFixture(differences: Partial<Job> = {}): Job {
  const paymentAmountWei = differences.paymentAmountWei ?? WEI_PER_HYPE / 2n;
  return {
    jobId: `job_${'a'.repeat(32)}`,
    tokenAddress: `0x${'1'.repeat(40)}`,
    paymentAddress: `0x${'2'.repeat(40)}`,
    walletIndex: 0,
    paymentAmountWei,
    paymentDeadlineMs: DEADLINE_MS,
    returnAddress: null,
    requestedReturnAddress: null,
    proposedReturnAddress: null,
    status: 'pending_payment',
    assessment: noDeposits(paymentAmountWei),
    droppedWei: 0n,
    plan: PLAN,
    createdAtMs: 0,
    terms: TERMS,
    ...differences,
  };
}

/** A job that waits for its payment and received these deposits in time, for specs. */
export function paidJobFixture(...deposits: readonly Deposit[]): Job {
  const job = jobFixture();
  const inTimeWei = deposits.reduce((sum, { amountWei }) => sum + amountWei, 0n);
  return { ...job, assessment: assessDeposits(inTimeWei, 0n, job.paymentAmountWei) };
}

let count = 0;

/** A plain transfer of 0.5 HYPE one second before the deadline, for specs. */
export function depositFixture(differences: Partial<Deposit> = {}): Deposit {
  count += 1;
  return {
    depositId: `deposit-${count}`,
    kind: 'transfer',
    from: `0x${'6'.repeat(40)}`,
    amountWei: WEI_PER_HYPE / 2n,
    blockNumber: 10,
    occurrence: 1,
    dropped: false,
    blockTimestampMs: DEADLINE_MS - 1000,
    ...differences,
  };
}
