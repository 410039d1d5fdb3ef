import { JOB_STATUSES } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { jobFixture } from '../job/job.fixture.ts';
import { STOPPED_BY_PAYER } from '../job/job.ts';
import { hashStopSecret, isStopSecret, newStopSecret } from '../job/stop-secret.ts';
import { stopJob } from './stop-job.ts';

describe('a payer who stops a job', () => {
  it('cancels before payment, ends trading, then changes nothing', () => {
    const kinds = JOB_STATUSES.map((status) => [status, stopJob(jobFixture({ status }), 5).kind]);
    expect(Object.fromEntries(kinds)).toEqual({
      pending_payment: 'cancelled',
      active: 'ending',
      completed: 'ended',
      failed_liquidity: 'ended',
      failed_technical: 'ended',
      cancelled: 'ended',
      payment_expired: 'ended',
    });
    const waiting = jobFixture();
    expect(stopJob(waiting, 5)).toMatchObject({
      change: {
        before: waiting,
        after: { status: 'cancelled', stopRequestedAtMs: 5, failureReason: STOPPED_BY_PAYER, endedAtMs: 5 },
      },
    });
    const trading = jobFixture({ status: 'active' });
    expect(stopJob(trading, 5)).toEqual({
      kind: 'ending',
      change: { before: trading, after: { ...trading, stopRequestedAtMs: 5 } },
    });
    expect(stopJob(jobFixture({ status: 'active', stopRequestedAtMs: 4 }), 5)).toEqual({ kind: 'ending_already' });
  });
});

describe('a stop secret', () => {
  it('is known by its hash and never repeats', () => {
    const [one, other] = [newStopSecret(), newStopSecret()];
    expect(isStopSecret(one, [hashStopSecret(other), hashStopSecret(one)])).toBe(true);
    expect(isStopSecret(one, [hashStopSecret(other)])).toBe(false);
    expect(isStopSecret(one, [])).toBe(false);
  });
});
