import type { StatusDisplay } from '@maker/rules';
import { KeyValue, KeyValueList, Surface } from '@maker/ui';
import type { OpenJob } from '@maker/web-kit';
import { localDateAndTime } from './local-time.ts';

/** Props of `JobInformation`. */
export interface JobInformationProps {
  readonly job: OpenJob;
  readonly display: StatusDisplay;
}

/** Job ID, deadline and status. Source: specification § 2 'Payment'. */
export function JobInformation({ job, display }: JobInformationProps) {
  return (
    <Surface title="Job Information">
      <KeyValueList>
        <KeyValue name="Job ID">
          <span className="code">{job.jobId}</span>
        </KeyValue>
        <KeyValue name="Transaction Deadline">
          <time dateTime={job.paymentDeadline}>{localDateAndTime(job.paymentDeadline)}</time>
        </KeyValue>
        <KeyValue name="Status">
          <span className={`job-status job-status--${display.colour}`} data-colour={display.colour}>
            {display.label}
          </span>
        </KeyValue>
      </KeyValueList>
    </Surface>
  );
}
