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
  /** The current plan; absent for jobs that ended unpaid. */
  readonly plan: Pick<JobPlan, 'expectedEndAt' | 'latestEndAt'> | undefined;
  /** Before payment, the plan's times assume a payment at the creation of the job. */
  readonly isPaid: boolean;
  /** Whether the visitor may cancel the job. */
  readonly canCancel: boolean;
  /** Folded, because few payers need it: link, private code, and the form that cancels the job. */
  readonly children?: ReactNode;
}

/** Job ID, deadline and status. Source: specification § 2 'Payment'. */
export function JobInformation({ jobId, deadline, display, plan, isPaid, canCancel, children }: JobInformationProps) {
  const ifPaid = isPaid ? '' : ' if paid right away';
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
        <Folded
          className={styles.ends}
          summary={canCancel ? 'Schedule and cancellation' : children ? 'Schedule and private code' : 'Schedule'}
        >
          {plan && <KeyValueList>{ends}</KeyValueList>}
          {children}
        </Folded>
      )}
    </Surface>
  );
}
