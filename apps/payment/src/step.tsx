import type { ChangeReturnAddressResponse } from '@maker/contracts';
import { displayStatus, isDust, isFinal, type JobStatus } from '@maker/rules';
import { Button, StepFrame } from '@maker/ui';
import { canStoreJobs, keepChoices, type PaymentStepProps } from '@maker/web-kit';
import { lazy, type ReactNode, useEffect, useState } from 'react';
import { Folded } from './folded.tsx';
import { newest, useLiveStatus } from './follow/live-status.ts';
import { useNotifyMe, type Watched } from './follow/notify-me.tsx';
import { isUnknownJob, pollingErrorText } from './follow/polling-error.ts';
import { StatusStrip } from './follow/status-strip.tsx';
import { useConfirmedPayment, useJobPayment, useJobStatus } from './follow/use-job.ts';
import { useNow } from './follow/use-now.ts';
import { ImportantNotes } from './important-notes.tsx';
import { JobInformation } from './job-information.tsx';
// In the step's style sheet: a separate one for the lazy part would need code that loads it.
import { links } from './links/job-links.module.css';
import { localTime } from './local-time.ts';
import { Part } from './part.tsx';
import { PayPanel } from './pay/pay-panel.tsx';
import { hasAmounts, paymentAdvice } from './pay/payment-advice.ts';
import { refundAdvice } from './pay/refund-advice.ts';
import { ReturnAddress } from './pay/return-address.tsx';
import { transferOf } from './pay/transfer.ts';
import { FoldedOnScreen } from './receipt/paper.tsx';
import { ReceiptPanel } from './receipt/receipt-panel.tsx';
import * as styles from './step.module.css';
import { StopButton } from './stop/stop-button.tsx';

// Loaded on demand: few payers use their links or end their job, few payments have an unknown sender, and few jobs are unknown.
const JobLinks = lazy(() => import(/* webpackChunkName: "change-return-address" */ './links/job-links.tsx'));
const StopJob = lazy(() => import(/* webpackChunkName: "change-return-address" */ './stop/stop-job.tsx'));
const StartWithPart = lazy(() => import(/* webpackChunkName: "change-return-address" */ './pay/start-with-part.tsx'));
const UnknownPayer = lazy(() => import(/* webpackChunkName: "change-return-address" */ './pay/unknown-payer.tsx'));
const UnknownJob = lazy(() => import(/* webpackChunkName: "change-return-address" */ './unknown-job.tsx'));

/** Length of the advice in characters above which the notes are folded. */
const FOLDING_LENGTH = 60;

/** The wizard's last step: pay, see the payment arrive, and follow the job. */
export default function PaymentStep({ onBack, onHome, ...props }: PaymentStepProps) {
  const { jobId } = props.job;
  const polledPayment = useJobPayment(props.api, jobId);
  const { error } = polledPayment;
  return (
    <StepFrame title="Initiate Token Transfer" width="wide" onBack={onBack}>
      {isUnknownJob(error) ? (
        <Part>
          <UnknownJob jobId={jobId} error={error} onHome={onHome} />
        </Part>
      ) : (
        <KnownJob {...props} onHome={onHome} polledPayment={polledPayment} />
      )}
    </StepFrame>
  );
}

interface KnownJobProps
  extends Pick<PaymentStepProps, 'api' | 'configuration' | 'job' | 'onCode' | 'onHome' | 'onAgain'> {
  readonly polledPayment: ReturnType<typeof useJobPayment>;
}

function KnownJob({ api, configuration, job, onCode, onHome, onAgain, polledPayment }: KnownJobProps) {
  const { explorerUrl } = configuration;
  const ended = polledPayment.data !== undefined && isFinal(polledPayment.data.status);
  const live = useLiveStatus(api, job.jobId, !ended);

  const payment = newest(polledPayment.data, polledPayment.dataUpdatedAt, live);
  const received = payment?.paymentReceived ?? false;
  const polledStatus = useJobStatus(api, job.jobId, received || ended);
  const status = newest(polledStatus.data, polledStatus.dataUpdatedAt, live);

  const confirm = useConfirmedPayment(job.jobId, payment);
  const noteStatus = (stopped: JobStatus) => {
    if (isFinal(stopped)) confirm({ status: stopped });
    else void polledPayment.refetch();
    if (received || ended) void polledStatus.refetch();
  };

  const addressForm = {
    api,
    jobId: job.jobId,
    deadEnds: { tokenAddress: job.token.tokenAddress, treasury: configuration.botWalletAddress },
    stopSecret: job.stopSecret,
    // If money arrived meanwhile, an operator checks the address first.
    onChanged: ({ returnAddress, awaitsOperator }: ChangeReturnAddressResponse) =>
      confirm(
        awaitsOperator
          ? { payerUnknown: true, proposedReturnAddress: returnAddress }
          : { namedReturnAddress: returnAddress },
      ),
  };

  const again = () => {
    // A reader of a link must not send their tokens to this job's payer.
    keepChoices(job, (!job.isShared && payment?.namedReturnAddress) || '');
    onAgain();
  };

  const [isStored] = useState(canStoreJobs);
  const returns = status?.returns ?? [];
  const isRunning = status?.status === 'active' && status.stopRequestedAt === undefined;
  const isUnpaid = payment?.status === 'pending_payment' && !received;

  const isPayerUnknown =
    payment?.payerUnknown === true ||
    returns.some((one) => one.status === 'held' && one.to === undefined && !isDust(BigInt(one.amountWei)));

  const partWei = BigInt(payment?.receivedWei ?? 0);
  const isPartial = partWei > 0n && !isDust(partWei);

  const currentStatus = payment?.status ?? 'pending_payment';
  const deadline = payment?.paymentDeadline ?? job.paymentDeadline;
  const serverNow = useNow(api, !received && currentStatus === 'pending_payment');
  // A response's time is read a second too early at most: the countdown would start at 15:01.
  const now = Math.max(serverNow, Date.parse(deadline) - configuration.paymentTimeoutMs);
  // After a jump of the clock, the countdown needs a new answer of the server.
  const hasJumped = api.clock.hasJumped();
  const { refetch } = polledPayment;
  useEffect(() => {
    if (hasJumped) void refetch({ cancelRefetch: false });
  }, [hasJumped, refetch]);
  const display = displayStatus(currentStatus, received, Date.parse(deadline) < now);

  const transfer = transferOf(job, payment, now);

  const { appName } = configuration;
  const isSeen = payment?.waitingWei != null;
  // The pill of a received payment does not change; the tab's title also shows the end.
  const { label } = displayStatus(currentStatus, received && !isFinal(currentStatus), Date.parse(deadline) < now);
  const news = isUnpaid && isSeen ? 'Payment seen' : label;
  useEffect(() => {
    document.title = `${news} · ${appName}`;
    return () => {
      document.title = appName;
    };
  }, [news, appName]);

  const ending = job.stopSecret !== undefined && {
    api,
    jobId: job.jobId,
    stopSecret: job.stopSecret,
    onStatus: noteStatus,
  };

  // Before payment they are folded with the schedule, so that the payer sees amount and address at once.
  const hasOwnLinks = received || ended || !isStored;
  const jobLinks = (
    <JobLinks
      isStored={isStored}
      jobId={job.jobId}
      privateCode={job.stopSecret}
      isCodeTyped={job.isCodeTyped ?? false}
      onCode={ended && !isPayerUnknown ? undefined : onCode}
    />
  );

  const advice = [
    ...(payment && hasAmounts(payment)
      ? // Only the status distinguishes bought from found tokens.
        paymentAdvice(
          { ...payment, ...(status?.foundTokens && { foundTokens: status.foundTokens }) },
          now,
          localTime,
          returns.length > 0,
        )
      : []),
    ...refundAdvice(returns),
  ];

  const payPanel = (
    <PayPanel
      job={job}
      transfer={transfer}
      chainId={configuration.chainId}
      explorerUrl={explorerUrl}
      leastWei={advice.length === 0 ? (payment?.leastPaymentWei ?? undefined) : undefined}
      isFirst={advice.length === 0}
    >
      {isUnpaid && transfer.state !== 'over' && !isPayerUnknown && (
        <>
          {payment.startableWei != null && ending && (
            <Part>
              <StartWithPart {...ending} startableWei={payment.startableWei} />
            </Part>
          )}
          <ReturnAddress {...addressForm} named={payment.namedReturnAddress} isPartial={isPartial} />
        </>
      )}
    </PayPanel>
  );
  const jobInformation = (
    <>
      <Part>
        <JobInformation
          jobId={job.jobId}
          deadline={deadline}
          display={display}
          plan={ended && !received ? undefined : (status?.plan ?? job.plan)}
          isPaid={received}
          canCancel={isUnpaid && ending !== false}
        >
          {!hasOwnLinks && jobLinks}
          {isUnpaid && ending && <StopJob {...ending} isPaid={false} />}
        </JobInformation>
      </Part>
      <ImportantNotes
        paymentTimeoutMs={configuration.paymentTimeoutMs}
        supportUrl={configuration.messagingUrl}
        isFolded={isUnpaid && (isPartial || advice.map(({ text }) => text).join().length > FOLDING_LENGTH)}
      />
    </>
  );
  // A finished job needs neither; the receipt is what counts.
  const fold = (summary: string, part: ReactNode) =>
    ended && status?.receipt ? (
      <FoldedOnScreen className={styles.folded} summary={summary}>
        {part}
      </FoldedOnScreen>
    ) : (
      part
    );

  const checkedAtMs = Math.max(polledPayment.dataUpdatedAt, polledStatus.dataUpdatedAt, live?.atMs ?? 0);

  return (
    <>
      <Part>
        <StatusStrip
          display={display}
          advice={advice}
          unreachableSince={
            (payment && 'chainUnreachableSince' in payment && payment.chainUnreachableSince) || undefined
          }
          error={pollingErrorText(polledPayment.error)}
          isDeciding={isUnpaid && transfer.state === 'over'}
          isSmall={received && status !== undefined}
          checkedAtMs={checkedAtMs > 0 ? api.clock.ofVisitor(checkedAtMs) : 0}
        />
      </Part>
      {isPayerUnknown && (
        <Part>
          <UnknownPayer {...addressForm} proposed={payment?.proposedReturnAddress} />
        </Part>
      )}
      {received && status && (
        <Part>
          <ReceiptPanel
            api={api}
            job={status}
            explorerUrl={explorerUrl}
            verifyUrl={configuration.verifyUrl}
            isStale={polledStatus.isError}
            isOwn={job.stopSecret !== undefined}
          >
            <Part>{isRunning && ending && <StopButton {...ending} />}</Part>
          </ReceiptPanel>
        </Part>
      )}
      <div className={styles.columns}>
        <div className={styles.main}>
          {fold('Your transfer', payPanel)}
          {hasOwnLinks && (
            <Folded className={links} summary="Link and private code" isOpen={!isStored}>
              {jobLinks}
            </Folded>
          )}
          <div className={styles.actions}>
            {ended && (
              <>
                <Button onClick={again}>Again with this token</Button>
                <Button variant="secondary" onClick={onHome}>
                  Start another job
                </Button>
              </>
            )}
            <Part isOrnament>
              <NotifyMe
                watched={payment && { jobId: job.jobId, status: payment.status, isReceived: received, isSeen }}
              />
            </Part>
          </div>
        </div>
        <div className={styles.side}>{fold('Job Information', jobInformation)}</div>
      </div>
    </>
  );
}

/** A component of its own, so that whatever the browser throws here stays here. */
function NotifyMe({ watched }: { readonly watched: Watched | undefined }): ReactNode {
  return useNotifyMe(watched);
}
