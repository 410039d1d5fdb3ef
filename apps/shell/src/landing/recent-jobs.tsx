import { displayStatus, formatHype, shortenAddress } from '@maker/rules';
import { Button } from '@maker/ui';
import type { ApiClient, OpenJob } from '@maker/web-kit';
import { type ReactNode, useEffect, useState } from 'react';
import * as styles from './recent-jobs.module.css';

const MOMENT = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});

/** Jobs whose status is asked for, the newest. */
const MOST_ASKED = 5;

interface RecentJobsProps {
  /** Absent until the configuration is read. */
  readonly api: ApiClient | undefined;
  /** Newest first. */
  readonly jobs: readonly OpenJob[];
  readonly onReopen: (job: OpenJob) => void;
}

/** The way back to jobs that were created in this browser, with their status: the newest, and the others folded. */
export function RecentJobs({ api, jobs, onReopen }: RecentJobsProps) {
  const statuses = useStatuses(api, jobs.slice(0, MOST_ASKED));
  const [newest, ...older] = jobs;
  const show = (job: OpenJob, time?: ReactNode) => (
    <RecentJob key={job.jobId} job={job} status={statuses[job.jobId]} time={time} onReopen={onReopen} />
  );
  return (
    <section className={styles.jobs} aria-labelledby="recent-jobs-title">
      <h2 id="recent-jobs-title">Your recent jobs</h2>
      {newest && <ul>{show(newest)}</ul>}
      {older.length > 0 && (
        <details>
          <summary>{`${older.length} older`}</summary>
          <ul>{older.map((job) => show(job, <time dateTime={job.createdAt}>{localTime(job.createdAt)}</time>))}</ul>
        </details>
      )}
    </section>
  );
}

interface RecentJobProps {
  readonly job: OpenJob;
  /** Its label; absent while it is not known. */
  readonly status: string | undefined;
  readonly time: ReactNode;
  readonly onReopen: (job: OpenJob) => void;
}

function RecentJob({ job, status, time, onReopen }: RecentJobProps) {
  return (
    <li>
      <span>
        <strong translate="no">{`${formatHype(BigInt(job.paymentAmountWei))} HYPE`}</strong>{' '}
        <span>{`for ${tokenName(job)}`}</span>
      </span>
      <span className={styles.facts}>
        {time}
        {status !== undefined && <span>{status}</span>}
      </span>
      <Button variant="secondary" aria-label={`Open the job for ${tokenName(job)}`} onClick={() => onReopen(job)}>
        Open
      </Button>
    </li>
  );
}

/** Labels of jobs by their ids, as far as they are read. */
function useStatuses(api: ApiClient | undefined, jobs: readonly OpenJob[]): Readonly<Record<string, string>> {
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({});
  const ids = jobs.map(({ jobId }) => jobId).join(' ');
  useEffect(() => {
    if (!api) return;
    const leaving = new AbortController();
    const ask = async (jobId: string) => {
      const answer = await api.getJobPayment(jobId, { signal: leaving.signal });
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

function localTime(iso: string): string {
  return MOMENT.format(new Date(iso));
}

function tokenName({ token }: OpenJob): string {
  return token.token?.symbol ?? shortenAddress(token.tokenAddress);
}
