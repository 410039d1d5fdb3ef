import { formatHype, type JobStatus } from '@maker/rules';
import { Button, LiveRegion, Notice } from '@maker/ui';
import { type ApiClient, startJob } from '@maker/web-kit';
import { useState } from 'react';
import * as styles from './return-address.module.css';

interface StartWithPartProps {
  readonly api: ApiClient;
  readonly jobId: string;
  readonly stopSecret: string;
  /** Sum that may start the job now, wei. */
  readonly startableWei: string;
  /** Called when the service has started the job, with its new status. */
  readonly onStatus: (status: JobStatus) => void;
}

/** Offers to start the job with the part that arrived, for a payer whose exchange kept a fee. Source: design § 4 'Amounts'. */
export default function StartWithPart({ api, jobId, stopSecret, startableWei, onStatus }: StartWithPartProps) {
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const start = async () => {
    setStarting(true);
    const result = await startJob(api, jobId, stopSecret);
    setStarting(false);
    if (result.ok) onStatus(result.data.status);
    else setProblem(result.error.message || 'The job could not be started');
  };
  return (
    <div className={styles.start}>
      <Button variant="secondary" busy={isStarting} onClick={start}>
        {`Start with ${formatHype(BigInt(startableWei))} HYPE`}
      </Button>
      <LiveRegion>{problem !== undefined && <Notice tone="red">{problem}</Notice>}</LiveRegion>
    </div>
  );
}
