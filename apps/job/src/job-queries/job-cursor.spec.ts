import { expect, it } from 'vitest';
import { cursorOf, positionOf } from './job-cursor.ts';

it('a cursor names a job by its time and id', () => {
  const job = { jobId: `job_${'0a'.repeat(16)}`, createdAtMs: 1_767_225_600_000 };
  expect(cursorOf(job)).toBe(`1767225600000-${'0a'.repeat(16)}`);
  expect(positionOf(cursorOf(job))).toEqual({ jobId: job.jobId, createdAt: new Date(job.createdAtMs) });
});
