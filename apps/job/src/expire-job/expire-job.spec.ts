import { JOB_STATUSES } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { DEADLINE_MS, depositFixture, jobFixture, paidJobFixture } from '../job/job.fixture.ts';
import { expireJob } from './expire-job.ts';

const now = DEADLINE_MS + 5000;

describe('expireJob', () => {
  it('expires a job without any deposit (design § 4)', () => {
    const job = jobFixture();
    const change = expireJob(job, [], { receivedWei: 0n }, now);
    expect(change?.before).toBe(job);
    expect(change?.after.deadlinePassed).toEqual({ receivedWei: 0n });
    expect(change?.transition).toEqual({ from: 'pending_payment', to: 'payment_expired' });
    expect(change?.after.endedAtMs).toBe(now);
  });

  it('expires a job that received too little', () => {
    const deposit = depositFixture({ amountWei: 5n });
    expect(expireJob(paidJobFixture(deposit), [], { receivedWei: 5n }, now)?.after.status).toBe('payment_expired');
  });

  it('waits for no report that nobody proves (docs/adr/0170)', () => {
    const job = jobFixture({ droppedWei: 5n });
    const change = expireJob(job, [], { receivedWei: 5n }, now);
    expect(change?.before).toBe(job);
    expect(change?.transition?.to).toBe('payment_expired');
  });

  it('changes nothing once the job has left pending_payment', () => {
    for (const status of JOB_STATUSES.filter((candidate) => candidate !== 'pending_payment')) {
      expect(expireJob(jobFixture({ status }), [], { receivedWei: 0n }, now)).toBeUndefined();
    }
  });
});
