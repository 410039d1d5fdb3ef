import { DEFAULT_PLAN_LIMITS } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { expectedBalance, heldBalance } from '../ledger/ledger-entry.ts';
import { derivedPlan } from './execution-plan.ts';
import { type ActivatedJob, neverRan, startExecution } from './new-execution.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const NOW = new Date('2026-11-21T08:00:00Z');
const HALF_HYPE = 500_000_000_000_000_000n;

const job: ActivatedJob = {
  jobId: 'job_0123456789abcdef0123456789abcdef',
  tokenAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  walletAddress: WALLET,
  walletIndex: 1,
  depositWei: HALF_HYPE,
  returnAddress: OTHER,
  plan: derivedPlan(HALF_HYPE / 2n, NOW.getTime(), { ...DEFAULT_PLAN_LIMITS, windowMs: 75_000 }),
  stopCommitments: [],
  activatedAt: NOW,
};

describe('startExecution', () => {
  it('divides the deposit into fee, orders and reserve', () => {
    const { execution } = startExecution(job, WALLET, NOW);
    expect(execution).toMatchObject({
      phase: 'fee',
      feeWei: 150_000_000_000_000_000n,
      orderBudgetWei: 250_000_000_000_000_000n,
      plannedOrders: 625,
      plan: { slotMs: 120, tradingEndsAt: new Date('2026-11-22T08:01:15Z') },
    });
  });

  it('books the deposit as the first entry', () => {
    const { execution, entries } = startExecution(job, WALLET, NOW);
    expect(entries).toMatchObject([{ kind: 'deposit', from: 'payer', to: 'wallet', amountWei: HALF_HYPE }]);
    expect(expectedBalance(execution.totals)).toBe(HALF_HYPE);
  });

  it('refuses a wallet of another seed and holds money', () => {
    const { execution } = startExecution(job, OTHER, NOW);
    expect(execution).toMatchObject({ phase: 'refused', ending: { kind: 'technical' } });
    expect(execution.heldReason).toBe('the wallet of the job is not a wallet of this seed');
    expect(execution).toMatchObject({ ending: { message: execution.heldReason }, endedAt: NOW });
    expect(heldBalance(execution.totals)).toBe(job.depositWei);
  });

  it('holds the rest if the wallet is the recipient', () => {
    expect(startExecution({ ...job, returnAddress: WALLET }, WALLET, NOW).execution.returnAddress).toBeNull();
  });

  it('begins with the job’s terms and no progress', () => {
    const { execution, entries } = startExecution(job, WALLET, NOW);
    const { jobId, depositWei: _, ...terms } = job;
    expect(execution).toMatchObject({
      ...terms,
      id: jobId,
      ending: null,
      heldReason: null,
      endedAt: null,
      createdAt: NOW,
    });
    expect(execution).toMatchObject({
      cancelled: false,
      graceEndsAtMs: null,
      dustChecks: null,
      retries: [],
      token: null,
    });
    expect(entries).toEqual([
      expect.objectContaining({
        id: `${jobId}/deposit`,
        jobId,
        transactionHash: null,
        blockNumber: null,
        recordedAt: NOW,
      }),
    ]);
  });
});

describe('neverRan', () => {
  it('ends before it begins when refused or empty', () => {
    const never = neverRan(job, WALLET, NOW);
    expect(never).toMatchObject({
      id: job.jobId,
      phase: 'never_ran',
      walletAddress: WALLET,
      walletIndex: 1,
      tokenAddress: job.tokenAddress,
      returnAddress: null,
      depositWei: 0n,
      feeWei: 0n,
      orderBudgetWei: 0n,
      plannedOrders: 0,
      heldReason: null,
      ending: null,
      createdAt: NOW,
      endedAt: NOW,
    });
    expect(expectedBalance(never.totals)).toBe(0n);
    expect(neverRan(job, OTHER, NOW)).toMatchObject({
      phase: 'refused',
      heldReason: 'the wallet of the job is not a wallet of this seed',
    });
  });
});
