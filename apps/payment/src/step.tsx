import { displayStatus } from '@maker/rules';
import { StepFrame } from '@maker/ui';
import type { PaymentStepProps } from '@maker/web-kit';
import { pollingErrorText } from './follow/polling-error.ts';
import { StatusStrip } from './follow/status-strip.tsx';
import { useJobPayment, useJobStatus } from './follow/use-job.ts';
import { useNow } from './follow/use-now.ts';
import { ImportantNotes } from './important-notes.tsx';
import { JobInformation } from './job-information.tsx';
import { localTime } from './local-time.ts';
import { PayPanel } from './pay/pay-panel.tsx';
import { paymentAdvice } from './pay/payment-advice.ts';
import { ReceiptPanel } from './receipt/receipt-panel.tsx';
import './step.css';

/** The wizard's last step: pay, watch it arrive, and follow what is done with it. */
export default function PaymentStep({ api, configuration, job, onBack }: PaymentStepProps) {
  const { explorerUrl } = configuration;
  const payment = useJobPayment(api, job.jobId);
  const received = payment.data?.paymentReceived ?? false;
  const status = useJobStatus(api, job.jobId, received);

  const deadline = Date.parse(payment.data?.paymentDeadline ?? job.paymentDeadline);
  const waiting = !received && (payment.data?.status ?? 'pending_payment') === 'pending_payment';
  const now = useNow(waiting);
  const leftMs = deadline - now;
  const display = displayStatus(payment.data?.status ?? 'pending_payment', received, leftMs < 0);

  return (
    <StepFrame title="Initiate Token Transfer" width="wide" onBack={onBack}>
      <StatusStrip
        display={display}
        advice={payment.data ? paymentAdvice(payment.data, now, localTime) : []}
        error={pollingErrorText(payment.error) ?? pollingErrorText(status.error)}
        checkedAtMs={Math.max(payment.dataUpdatedAt, status.dataUpdatedAt)}
      />
      {received && status.data && <ReceiptPanel api={api} job={status.data} explorerUrl={explorerUrl} />}
      <div className="payment-columns">
        <PayPanel job={job} explorerUrl={explorerUrl} leftMs={waiting && leftMs > 0 ? leftMs : undefined} />
        <div className="payment-columns__side">
          <JobInformation job={job} display={display} />
          <ImportantNotes paymentTimeoutMs={configuration.paymentTimeoutMs} />
        </div>
      </div>
    </StepFrame>
  );
}
