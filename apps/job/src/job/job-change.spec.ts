import { canTransition, isFinal, JOB_STATUSES } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { jobFixture } from './job.fixture.ts';
import { changeStatus } from './job-change.ts';

describe('changeStatus', () => {
  it('makes only transitions of the state machine', () => {
    for (const from of JOB_STATUSES) {
      const reached = JOB_STATUSES.filter((to) => changeStatus(jobFixture({ status: from }), to, 5) !== undefined);
      expect(reached, from).toEqual(JOB_STATUSES.filter((to) => canTransition(from, to)));
    }
  });

  it('records the times of activation and end', () => {
    const active = changeStatus(jobFixture(), 'active', 7)?.after;
    expect(active).toMatchObject({ status: 'active', activatedAtMs: 7 });
    expect(active).not.toHaveProperty('endedAtMs');
    expect(changeStatus(jobFixture({ status: 'active', activatedAtMs: 7 }), 'completed', 9)?.after).toMatchObject({
      activatedAtMs: 7,
      endedAtMs: 9,
    });
  });

  it('returns the previous status and sets the new one', () => {
    const job = jobFixture();
    const details = { payment: { payer: '0x1', amountWei: 5n }, returnAddress: '0x1' };
    expect(changeStatus(job, 'active', 7, details)).toEqual({
      before: job,
      after: { ...job, ...details, status: 'active', activatedAtMs: 7 },
      transition: { from: 'pending_payment', to: 'active' },
    });
  });

  it('makes no transition from a final status', () => {
    for (const from of JOB_STATUSES.filter(isFinal)) {
      for (const to of JOB_STATUSES) expect(changeStatus(jobFixture({ status: from }), to, 1)).toBeUndefined();
    }
  });
});
