import { formatHype, shortenAddress } from '@maker/rules';
import { Button } from '@maker/ui';
import type { OpenJob } from '@maker/web-kit';
import * as styles from './recent-jobs.module.css';

interface RecentJobsProps {
  /** Newest first. */
  readonly jobs: readonly OpenJob[];
  readonly onReopen: (job: OpenJob) => void;
}

/** The way back to jobs that were created in this browser; nothing is shown without any. */
export function RecentJobs({ jobs, onReopen }: RecentJobsProps) {
  if (jobs.length === 0) return null;
  return (
    <section className={styles.jobs} aria-labelledby="recent-jobs-title">
      <h2 id="recent-jobs-title">Your recent jobs</h2>
      <ul>
        {jobs.map((job) => (
          <li key={job.jobId}>
            <span>
              <strong translate="no">{`${formatHype(BigInt(job.paymentAmountWei))} HYPE`}</strong>{' '}
              <span>{`for ${tokenName(job)}`}</span>
            </span>
            <time dateTime={job.createdAt}>{localTime(job.createdAt)}</time>
            <Button variant="secondary" onClick={() => onReopen(job)}>
              Open<span className="visually-hidden">{` the job for ${tokenName(job)}`}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function localTime(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

function tokenName({ token }: OpenJob): string {
  return token.token?.symbol ?? shortenAddress(token.tokenAddress);
}
