import type { Job } from '../job/job.ts';
import type { JobPosition } from '../job/jobs.repository.ts';

/** The cursor after a job. */
export const cursorOf = ({ jobId, createdAtMs }: Pick<Job, 'jobId' | 'createdAtMs'>): string =>
  `${createdAtMs}-${jobId.slice('job_'.length)}`;

/** The job of a cursor. */
export function positionOf(cursor: string): JobPosition {
  const [ms = '', id = ''] = cursor.split('-');
  return { createdAt: new Date(Number(ms)), jobId: `job_${id}` };
}
