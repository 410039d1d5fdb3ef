import { JOB_STATUSES } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { jobFixture } from '../job/job.fixture.ts';
import { cancelJob } from './cancel-job.ts';

describe('cancelJob (design § 4)', () => {
  it('ends an unpaid job immediately', () => {
    expect(cancelJob(jobFixture(), 5)).toMatchObject({
      after: { status: 'cancelled', endedAtMs: 5 },
      transition: { from: 'pending_payment', to: 'cancelled' },
    });
  });

  it('leaves the end of an active job to its settlement', () => {
    expect(cancelJob(jobFixture({ status: 'active' }), 5)).toBe('when_settled');
  });

  it('changes nothing of a job that has ended', () => {
    const ended = JOB_STATUSES.filter((status) => status !== 'active' && status !== 'pending_payment');
    for (const status of ended) {
      expect(cancelJob(jobFixture({ status }), 5)).toBeUndefined();
    }
  });
});
