import type { JobPlan } from '@maker/contracts';
import type { StatusDisplay } from '@maker/rules';
import { KeyValue, KeyValueList, Surface } from '@maker/ui';
import type { ReactNode } from 'react';
import { Folded } from './folded.tsx';
import * as styles from './job-information.module.css';
import { localDateAndTime } from './local-time.ts';

interface JobInformationProps {
  readonly jobId: string;
  /** ISO 8601. */
  readonly deadline: string;
  readonly display: StatusDisplay;
  /** What holds; absent for jobs that ended unpaid. */
  readonly plan: Pick<JobPlan, 'expectedEndAt' | 'latestEndAt'> | undefined;
  /** Before it is paid, the plan's times are those of a payment made when the job was created. */
  readonly isPaid: boolean;
  /** The way to cancel the job, folded: few payers want it. */
  readonly children?: ReactNode;
}

/** Job ID, deadline and status. Source: specification § 2 'Payment'. */
export function JobInformation({ jobId, deadline, display, plan, isPaid, children }: JobInformationProps) {
  const ifPaid = isPaid ? '' : ', if paid at once';
  const moment = (iso: string) => <time dateTime={iso}>{localDateAndTime(iso)}</time>;
  const ends = plan && (
    <>
      <KeyValue name={`Expected end${ifPaid}`}>{moment(plan.expectedEndAt)}</KeyValue>
      <KeyValue name={`Latest end${ifPaid}`}>{moment(plan.latestEndAt)}</KeyValue>
    </>
  );
  return (
    <Surface title="Job Information">
      <KeyValueList>
        <KeyValue name="Job ID">
          <span className="code" translate="no">
            {jobId}
          </span>
        </KeyValue>
        <KeyValue name="Transaction Deadline">{moment(deadline)}</KeyValue>
        <KeyValue name="Status">
          <span className={styles.status} data-colour={display.colour}>
            {display.label}
          </span>
        </KeyValue>
        {isPaid && ends}
      </KeyValueList>
      {!isPaid && (plan || children) && (
        <Folded className={styles.ends} summary={children ? 'Schedule and cancellation' : 'Schedule'}>
          {plan && <KeyValueList>{ends}</KeyValueList>}
          {children}
        </Folded>
      )}
    </Surface>
  );
}
