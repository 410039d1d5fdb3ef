import type { JobStatus } from '@maker/rules';
import { Button, LiveRegion, Notice } from '@maker/ui';
import { type ApiClient, stopJob } from '@maker/web-kit';
import { useEffect, useState } from 'react';
import * as styles from './stop-job.module.css';

/** Props of `StopJob`. */
export interface StopJobProps {
  readonly api: ApiClient;
  readonly jobId: string;
  readonly stopSecret: string;
  /** Before payment a job is cancelled, afterwards it is ended. */
  readonly isPaid: boolean;
  /** Called when the service has accepted the stop, with the job's new status. */
  readonly onStatus: (status: JobStatus) => void;
  /** The payer has already pressed the button. */
  readonly isAsked?: boolean;
}

type Progress = 'idle' | 'asking' | 'stopping' | { readonly outcome: string } | { readonly problem: string };

/** Ends the job after the payer's confirmation. Source: design § 4. */
export default function StopJob({ api, jobId, stopSecret, isPaid, onStatus, isAsked = false }: StopJobProps) {
  const [progress, setProgress] = useState<Progress>('idle');
  useEffect(() => {
    // A live region announces only changes after its first rendering.
    if (isAsked) setProgress('asking');
  }, [isAsked]);
  const stop = async () => {
    setProgress('stopping');
    const result = await stopJob(api, jobId, stopSecret);
    if (result.ok) onStatus(result.data.status);
    setProgress(
      result.ok
        ? { outcome: result.data.outcome }
        : { problem: result.error.message || 'The job could not be stopped' },
    );
  };
  const isOpen = progress === 'asking' || progress === 'stopping';
  return (
    <div className={styles.stop}>
      <LiveRegion>
        {typeof progress === 'object' && (
          <Notice tone={'outcome' in progress ? 'plain' : 'red'}>
            {'outcome' in progress ? progress.outcome : progress.problem}
          </Notice>
        )}
        {isOpen && (
          <p>
            {isPaid
              ? 'No more orders are placed. The bought tokens are delivered, and the unspent HYPE is returned. The service fee is not refunded. You cannot undo this.'
              : 'The job is cancelled and costs nothing. Do not send anything to its address any more: HYPE that still arrives is refunded, less the network fee. You cannot undo this.'}
          </p>
        )}
      </LiveRegion>
      {isOpen ? (
        <div className={styles.answers}>
          <Button variant="secondary" busy={progress === 'stopping'} onClick={stop}>
            {isPaid ? 'Stop it now' : 'Cancel it now'}
          </Button>
          <Button variant="quiet" disabled={progress === 'stopping'} onClick={() => setProgress('idle')}>
            {isPaid ? 'Let it run' : 'Keep it'}
          </Button>
        </div>
      ) : (
        (typeof progress === 'string' || 'problem' in progress) && (
          <Button variant="quiet" onClick={() => setProgress('asking')}>
            {isPaid ? 'Stop this job' : 'Cancel this job'}
          </Button>
        )
      )}
    </div>
  );
}
