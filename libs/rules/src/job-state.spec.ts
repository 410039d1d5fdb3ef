import { describe, expect, it } from 'vitest';
import { canTransition, isFailed, isFinal, JOB_STATUSES, type JobStatus } from './job-state.ts';

describe("a job's life (design § 4)", () => {
  it('has these transitions and no other', () => {
    const existing = JOB_STATUSES.flatMap((from) =>
      JOB_STATUSES.filter((to) => canTransition(from, to)).map((to) => `${from} → ${to}`),
    );
    expect(existing).toEqual([
      'pending_payment → active',
      'pending_payment → cancelled',
      'pending_payment → payment_expired',
      'active → completed',
      'active → failed_liquidity',
      'active → failed_technical',
      'active → cancelled',
    ]);
  });

  it('ends in five statuses, only completed succeeds', () => {
    expect(JOB_STATUSES.filter(isFinal)).toHaveLength(5);
    expect(JOB_STATUSES.filter((status) => isFinal(status) && !isFailed(status))).toEqual(['completed']);
  });

  it.each(['rebalancing', 'toString'])('does not end in %s', (status) => {
    expect(isFinal(status as JobStatus)).toBe(false);
    expect(isFailed(status as JobStatus)).toBe(false);
  });
});
