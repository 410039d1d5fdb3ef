import { Alert, Button } from '@maker/ui';
import { pollingErrorText } from './follow/polling-error.ts';
import * as styles from './step.module.css';

interface UnknownJobProps {
  readonly jobId: string;
  /** The error of the last poll. */
  readonly error: Error;
  readonly onHome: () => void;
}

/** Replaces amount and address when the service does not know the job of this browser. */
export default function UnknownJob({ jobId, error, onHome }: UnknownJobProps) {
  return (
    <div className={styles.main}>
      <Alert>{pollingErrorText(error)}</Alert>
      <p>
        The service does not know this job. Do not send anything to its address: the service would not detect the
        payment.
      </p>
      <p>
        <span>If you have paid already, contact support and give them the Job ID: </span>
        <span className="code" translate="no">
          {jobId}
        </span>
      </p>
      <div>
        <Button size="large" onClick={onHome}>
          Go to the start
        </Button>
      </div>
    </div>
  );
}
