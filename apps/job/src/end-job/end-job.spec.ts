import { JOB_STATUSES } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { jobFixture } from '../job/job.fixture.ts';
import { CANCELLED_BY_OPERATOR, STOPPED_BY_PAYER } from '../job/job.ts';
import { completeJob, failJob } from './end-job.ts';

const active = jobFixture({ status: 'active' });

describe('the end of a job (design § 4)', () => {
  it.each([
    ['liquidity', 'failed_liquidity'],
    ['technical', 'failed_technical'],
  ] as const)('by %s is %s, with the failure message', (reason, status) => {
    expect(failJob(active, reason, 'no pool', 7)).toMatchObject({
      before: active,
      after: { status, endedAtMs: 7, failureReason: 'no pool' },
      transition: { from: 'active', to: status },
    });
  });

  it('names the canceller, even against maker-executor', () => {
    const byOperator = failJob(active, 'cancelled', 'it was cancelled', 7);
    expect(byOperator?.after).toMatchObject({ status: 'cancelled', failureReason: CANCELLED_BY_OPERATOR });
    const byPayer = failJob({ ...active, stopRequestedAtMs: 5 }, 'cancelled', 'it was cancelled', 7);
    expect(byPayer?.after).toMatchObject({ status: 'cancelled', failureReason: STOPPED_BY_PAYER });
    const stoppedToo = failJob({ ...active, stopRequestedAtMs: 5 }, 'technical', 'no answer', 7);
    expect(stoppedToo?.after.failureReason).toBe('no answer');
  });

  it('as planned has no failure reason', () => {
    const after = completeJob(active, 7)?.after;
    expect(after).toMatchObject({ status: 'completed', endedAtMs: 7 });
    expect(after?.failureReason).toBeUndefined();
  });

  it('comes to active jobs only', () => {
    for (const status of JOB_STATUSES.filter((candidate) => candidate !== 'active')) {
      expect(completeJob(jobFixture({ status }), 7)).toBeUndefined();
      expect(failJob(jobFixture({ status }), 'technical', 'no answer', 7)).toBeUndefined();
    }
  });

  it('names the payer or an operator in words', () => {
    expect(STOPPED_BY_PAYER).toBe('The payer stopped this job');
    expect(CANCELLED_BY_OPERATOR).toBe('An operator cancelled this job');
  });
});
