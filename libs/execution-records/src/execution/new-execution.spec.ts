import { DEFAULT_PLAN_LIMITS } from '@maker/rules';
import { termsFixture } from '@maker/signing/testing';
import { describe, expect, it } from 'vitest';
import { expectedBalance, heldBalance } from '../ledger/ledger-entry.ts';
import type { ActivatedJob } from './activated-job.ts';
import { derivedPlan } from './execution-plan.ts';
import { neverRan, startExecution } from './new-execution.ts';
import { agreedTerms, TRUST } from './started-execution.fixture.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const NOW = new Date('2026-11-21T08:00:00Z');
const HALF_HYPE = 500_000_000_000_000_000n;

const told: ActivatedJob = {
  jobId: 'job_0123456789abcdef0123456789abcdef',
  tokenAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  walletAddress: WALLET,
  walletIndex: 1,
  depositWei: HALF_HYPE,
  returnAddress: OTHER,
  plan: derivedPlan(HALF_HYPE / 2n, NOW.getTime(), { ...DEFAULT_PLAN_LIMITS, windowMs: 75_000 }),
  activatedAt: NOW,
};
const job: ActivatedJob = { ...told, terms: agreedTerms(told) };

describe('startExecution', () => {
  it('divides the deposit into fee, orders and reserve', () => {
    const { execution } = startExecution(job, WALLET, NOW, TRUST);
    expect(execution).toMatchObject({
      phase: 'fee',
      feeWei: 150_000_000_000_000_000n,
      orderBudgetWei: 250_000_000_000_000_000n,
      plannedOrders: 625,
      plan: { slotMs: 120, tradingEndsAt: new Date('2026-11-22T08:01:15Z') },
    });
  });

  it('books the deposit as the first entry', () => {
    const { execution, entries } = startExecution(job, WALLET, NOW, TRUST);
    expect(entries).toMatchObject([{ kind: 'deposit', from: 'payer', to: 'wallet', amountWei: HALF_HYPE }]);
    expect(expectedBalance(execution.totals)).toBe(HALF_HYPE);
  });

  it('refuses a wallet of another seed and holds money', () => {
    const { execution } = startExecution(job, OTHER, NOW, TRUST);
    expect(execution).toMatchObject({ phase: 'refused', ending: { kind: 'technical' } });
    expect(execution.heldReason).toBe('the wallet of the job is not a wallet of this seed');
    expect(execution).toMatchObject({ ending: { message: execution.heldReason }, endedAt: NOW });
    expect(heldBalance(execution.totals)).toBe(job.depositWei);
  });

  it.each<[string, Partial<ActivatedJob>]>([
    ['id', { jobId: `job_${'b'.repeat(32)}` }],
    ['token', { tokenAddress: OTHER }],
    ['return address', { returnAddress: WALLET }],
    ['return address', { returnAddress: null, payerClaim: { payer: OTHER, transfers: [], isProven: false } }],
    ['payer', { payerClaim: { payer: WALLET, transfers: [], isProven: false } }],
    ['deposit', { depositWei: HALF_HYPE - 1n }],
    ['price', { plan: { ...told.plan, seenPriceX96: 1n } }],
    ['price band', { plan: { ...told.plan, bandBps: 9000 } }],
    ['slippage limit', { plan: { ...told.plan, slippageBps: 9000 } }],
    ['impact limit', { plan: { ...told.plan, impactCapBps: 9000 } }],
    ['time between orders', { plan: { ...told.plan, slotMs: 1 } }],
    ['end of trading', { plan: { ...told.plan, tradingEndsAt: NOW } }],
    ['latest end', { plan: { ...told.plan, latestEndAt: NOW } }],
  ])('refuses another %s than the agreed one', (what, change) => {
    const { execution } = startExecution({ ...job, ...change }, WALLET, NOW, TRUST);
    const heldReason = `it differs from the agreement: its ${what} is not the agreed one`;
    expect(execution).toMatchObject({ phase: 'refused', heldReason, ending: { kind: 'technical' }, endedAt: NOW });
    expect(heldBalance(execution.totals)).toBe(execution.depositWei);
  });

  it('refuses less than agreed, and a late payment', () => {
    const { agreement, amendments } = agreedTerms(told);
    const change = { activation: amendments[0]?.amendment.activation ?? null };
    const reason = (differences: object) => {
      const terms = termsFixture({ ...agreement, ...differences }, [change]);
      return startExecution({ ...job, terms }, WALLET, NOW, TRUST).execution.heldReason;
    };
    expect(reason({})).toBeNull();
    expect(reason({ leastWei: (HALF_HYPE + 1n).toString() })).toMatch(/payment is less than the agreed amount/);
    expect(reason({ deadline: new Date(NOW.getTime() - 1).toISOString() })).toMatch(/paid after the agreed deadline/);
    expect(reason({ chainId: 1 })).toMatch(/its chain is not the agreed one/);
  });

  it('refuses a job without the job service’s signature', () => {
    const { agreement, amendments } = agreedTerms(told);
    for (const terms of [
      undefined,
      termsFixture(agreement),
      { agreement, amendments, signature: `0x${'1b'.repeat(65)}` },
    ]) {
      const { execution } = startExecution({ ...told, ...(terms && { terms }) }, WALLET, NOW, TRUST);
      expect(execution.phase).toBe('refused');
    }
  });

  it('holds the rest if the wallet is the recipient', () => {
    const toItself = { ...told, returnAddress: WALLET } as const;
    const { execution } = startExecution({ ...toItself, terms: agreedTerms(toItself) }, WALLET, NOW, TRUST);
    expect(execution).toMatchObject({ phase: 'fee', returnAddress: null });
  });

  it('begins with the job’s terms and no progress', () => {
    const { execution, entries } = startExecution(job, WALLET, NOW, TRUST);
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
