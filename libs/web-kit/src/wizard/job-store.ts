import { attempt } from '../attempt.ts';
import { isOpenJob, type OpenJob } from './open-job.ts';

const KEY = 'hyperevm-maker.jobs';

/** Maximum number of jobs that a browser keeps. */
export const REMEMBERED_JOBS = 10;

const PROBE = 'hyperevm-maker.probe';

/** Whether this browser stores jobs: not with blocked site data, or with a full quota. */
export function canStoreJobs(): boolean {
  return (
    attempt(() => {
      localStorage.setItem(PROBE, PROBE);
      localStorage.removeItem(PROBE);
      return true;
    }) ?? false
  );
}

interface Stored {
  /** A value that is no job's id opens no job. */
  readonly openJobId?: unknown;
  /** Newest first. */
  readonly jobs: readonly OpenJob[];
}

/**
 * The visitor's jobs in this browser, so that a reload or a second tab returns to the open one. If a browser rejects storage
 * (private windows, full quota), the store keeps nothing and logs the error.
 */
export class JobStore {
  /** @param storage called on each access, because even reading `localStorage` may throw */
  constructor(private readonly storage: () => Storage) {}

  /** The job that a reload returns to. */
  openJob(): OpenJob | undefined {
    const { openJobId, jobs } = this.read();
    return jobs.find((job) => job.jobId === openJobId);
  }

  /** Jobs of this browser, newest first. */
  recentJobs(): readonly OpenJob[] {
    return this.read().jobs;
  }

  /** Stores a job and makes it the open one. */
  open(job: OpenJob): void {
    const others = this.read().jobs.filter((other) => other.jobId !== job.jobId);
    const jobs = [job, ...others].sort((one, other) => other.createdAt.localeCompare(one.createdAt));
    this.write({ openJobId: job.jobId, jobs: jobs.slice(0, REMEMBERED_JOBS) });
  }

  /** Call when the visitor leaves the payment step: a reload no longer returns to the job, but the list keeps it. */
  close(): void {
    this.write({ jobs: this.read().jobs });
  }

  private read(): Stored {
    const stored = attempt(() => JSON.parse(this.storage().getItem(KEY) ?? '{}') as Record<keyof Stored, unknown>);
    const jobs = stored?.jobs;
    return { openJobId: stored?.openJobId, jobs: Array.isArray(jobs) ? jobs.filter(isOpenJob) : [] };
  }

  private write(stored: Stored): void {
    attempt(() => this.storage().setItem(KEY, JSON.stringify(stored)));
  }
}
