import { displayStatus, formatHype, shortenAddress } from '@maker/rules';
import { Button } from '@maker/ui';
import { type ApiClient, DAY_AND_TIME, getJobPayment, type OpenJob } from '@maker/web-kit';
import { useEffect, useState } from 'react';
import * as styles from './recent-jobs.module.css';

/** Number of jobs, the newest, whose status is requested. */
const MOST_ASKED = 5;

interface RecentJobsProps {
  /** Absent until the configuration is loaded. */
  readonly api: ApiClient | undefined;
  /** Newest first. */
  readonly jobs: readonly OpenJob[];
  readonly onReopen: (job: OpenJob) => void;
}

/** Links to jobs that were created in this browser, folded below the status of the newest. */
export function RecentJobs({ api, jobs, onReopen }: RecentJobsProps) {
  const statuses = useStatuses(api, jobs.slice(0, MOST_ASKED));
  const newest = jobs[0] && statuses[jobs[0].jobId];
  return (
    <section className={styles.jobs} aria-labelledby="recent-jobs-title">
      <details>
        <summary>
          <h2 id="recent-jobs-title">Your recent jobs</h2>
          {newest !== undefined && <span className={styles.newest}>{newest}</span>}
        </summary>
        <ul>
          {jobs.map((job) => (
            <RecentJob key={job.jobId} job={job} status={statuses[job.jobId]} onReopen={onReopen} />
          ))}
        </ul>
      </details>
    </section>
  );
}

interface RecentJobProps {
  readonly job: OpenJob;
  /** Label of its status; absent while it is unknown. */
  readonly status: string | undefined;
  readonly onReopen: (job: OpenJob) => void;
}

function RecentJob({ job, status, onReopen }: RecentJobProps) {
  return (
    <li>
      <span>
        <strong translate="no">{`${formatHype(BigInt(job.paymentAmountWei))} HYPE`}</strong>{' '}
        <span>{`for ${tokenName(job)}`}</span>
      </span>
      <span className={styles.facts}>
        <time dateTime={job.createdAt}>{DAY_AND_TIME.format(new Date(job.createdAt))}</time>
        {status !== undefined && <span>{status}</span>}
      </span>
      <Button variant="secondary" aria-label={`Open the job for ${tokenName(job)}`} onClick={() => onReopen(job)}>
        Open
      </Button>
    </li>
  );
}

/** Labels of jobs by id, for those with an answer. */
function useStatuses(api: ApiClient | undefined, jobs: readonly OpenJob[]): Readonly<Record<string, string>> {
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({});
  const ids = jobs.map(({ jobId }) => jobId).join(' ');
  useEffect(() => {
    if (!api) return;
    const leaving = new AbortController();
    const ask = async (jobId: string) => {
      const answer = await getJobPayment(api, jobId, { signal: leaving.signal });
      if (!answer.ok || leaving.signal.aborted) return;
      const { status, paymentDeadline } = answer.data;
      const isOver = paymentDeadline !== undefined && Date.parse(paymentDeadline) < api.clock.now();
      setLabels((known) => ({ ...known, [jobId]: displayStatus(status, false, isOver).label }));
    };
    for (const jobId of ids.split(' ')) void ask(jobId);
    return () => leaving.abort();
  }, [api, ids]);
  return labels;
}

function tokenName({ token }: OpenJob): string {
  return token.token?.symbol ?? shortenAddress(token.tokenAddress);
}
