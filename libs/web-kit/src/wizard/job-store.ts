import { isOpenJob, type OpenJob } from './open-job.ts';

const KEY = 'hyperevm-maker.jobs';

/** How many jobs a browser remembers. */
export const REMEMBERED_JOBS = 10;

interface Stored {
  /** Whatever is none of the jobs' ids opens none. */
  readonly openJobId?: unknown;
  /** Newest first. */
  readonly jobs: readonly OpenJob[];
}

/**
 * The visitor's jobs in this browser, so that a reload or a second tab comes back to the open one.
 * A browser that refuses storage (private windows, full quota) remembers nothing and says so to `onFailure`.
 */
export class JobStore {
  private readonly storage: () => Storage;
  private readonly onFailure: (error: unknown) => void;

  /** @param storage called on each access, because even reading `localStorage` may throw */
  constructor(storage: () => Storage, onFailure: (error: unknown) => void) {
    this.storage = storage;
    this.onFailure = onFailure;
  }

  /** The job to which a reload returns. */
  openJob(): OpenJob | undefined {
    const { openJobId, jobs } = this.read();
    return jobs.find((job) => job.jobId === openJobId);
  }

  /** Jobs of this browser, newest first. */
  recentJobs(): readonly OpenJob[] {
    return this.read().jobs;
  }

  /** Remembers a job and makes it the open one. */
  open(job: OpenJob): void {
    const others = this.read().jobs.filter((other) => other.jobId !== job.jobId);
    const jobs = [job, ...others].sort((one, other) => other.createdAt.localeCompare(one.createdAt));
    this.write({ openJobId: job.jobId, jobs: jobs.slice(0, REMEMBERED_JOBS) });
  }

  /** The visitor left the payment step by themselves: a reload no longer returns to it, the list still holds it. */
  close(): void {
    this.write({ jobs: this.read().jobs });
  }

  private read(): Stored {
    try {
      const { openJobId, jobs } = JSON.parse(this.storage().getItem(KEY) ?? '{}') as Record<keyof Stored, unknown>;
      return { openJobId, jobs: Array.isArray(jobs) ? jobs.filter(isOpenJob) : [] };
    } catch (error) {
      this.onFailure(error);
      return { jobs: [] };
    }
  }

  private write(stored: Stored): void {
    try {
      this.storage().setItem(KEY, JSON.stringify(stored));
    } catch (error) {
      this.onFailure(error);
    }
  }
}
