import type { CreateJobResponse, getJobStatus, JobPaymentResponse, ListedJob, OperatorJob } from '@maker/contracts';
import { formatHype, leastStartingWei } from '@maker/rules';
import type { z } from 'zod';
import { isPayerUnknown, type Job } from '../job/job.ts';
import type { Refund } from '../refund/refund.ts';

const time = (ms: number) => new Date(ms).toISOString();

/** What an answer and the event of the creation say of a job. */
export function createdView(job: Job): CreateJobResponse {
  return {
    jobId: job.jobId,
    paymentAddress: job.paymentAddress,
    paymentAmount: Number(formatHype(job.paymentAmountWei)),
    paymentAmountWei: job.paymentAmountWei.toString(),
    paymentDeadline: time(job.paymentDeadlineMs),
    plan: job.plan,
    ...(job.metadata ? { metadata: job.metadata } : {}),
  };
}

/** A job as the answer of its creation shows it, also when it is repeated after the plan was replaced. */
export function creationAnswer(job: Job, stopSecret: string | undefined): CreateJobResponse {
  const { terms, offeredPlan: plan = job.plan } = job;
  const agreement = terms && { agreement: terms.agreement, signature: terms.signature };
  return {
    ...createdView(job),
    plan,
    ...(agreement && { agreement }),
    ...(stopSecret !== undefined && { stopSecret }),
  };
}

/**
 * A job as the payment step polls it. `paymentReceived` is true once enough money was credited in time, and stays true
 * for every end of the job. Source: specification §§ 3 and 4.
 * @param startableWei sum with which the job may be started now, wei; undefined if none
 */
export function paymentView(job: Job, startableWei?: bigint): JobPaymentResponse {
  const { inTimeWei, lateWei, underpaid, overpaid, late } = job.assessment;
  const { plan: _plan, metadata: _metadata, ...created } = createdView(job);
  const waitingWei = (job.seen?.amountWei ?? 0n) - inTimeWei - lateWei;
  return {
    ...created,
    status: job.status,
    paymentReceived: job.activatedAtMs !== undefined,
    leastPaymentWei: leastStartingWei(job.paymentAmountWei).toString(),
    ...(startableWei !== undefined && { startableWei: startableWei.toString() }),
    ...(waitingWei > 0n && { waitingWei: waitingWei.toString() }),
    receivedWei: inTimeWei.toString(),
    lateWei: lateWei.toString(),
    ...(job.droppedWei > 0n && { droppedWei: job.droppedWei.toString() }),
    ...(job.hyperCore && job.hyperCore.amountWei > 0n && { hyperCoreWei: job.hyperCore.amountWei.toString() }),
    ...(job.payment?.transactions?.length && { depositTransactions: [...job.payment.transactions] }),
    ...foundTokensView(job, job.activatedAtMs !== undefined),
    ...(job.requestedReturnAddress !== null && { namedReturnAddress: job.requestedReturnAddress }),
    ...(isPayerUnknown(job) && { payerUnknown: true as const }),
    ...(job.proposedReturnAddress !== null && { proposedReturnAddress: job.proposedReturnAddress }),
    flags: { underpaid, overpaid, late },
  };
}

/** Found tokens that pay for nothing. @param mayBeBought whether the job may have bought its own token: then it is left out */
function foundTokensView(job: Job, mayBeBought: boolean): Pick<JobPaymentResponse, 'foundTokens'> {
  const found = job.foundTokens?.tokens ?? [];
  const foundTokens = found.filter(
    ({ tokenAddress }) => !mayBeBought || tokenAddress.toLowerCase() !== job.tokenAddress.toLowerCase(),
  );
  return foundTokens.length === 0 ? {} : { foundTokens };
}

/** Status without the receipt. The own token counts as found unless the job is active: an active job will deliver all of it. */
export function statusView(
  job: Job,
  refunds: readonly Refund[] = [],
  startableWei?: bigint,
): z.infer<typeof getJobStatus.reply> {
  return {
    ...paymentView(job, startableWei),
    ...foundTokensView(job, job.status === 'active'),
    ...lifeView(job),
    plan: job.plan,
    ...(job.metadata ? { metadata: job.metadata } : {}),
    ...(job.stopRequestedAtMs === undefined ? {} : { stopRequestedAt: time(job.stopRequestedAtMs) }),
    ...(refunds.length === 0 ? {} : { returns: refunds.map(refundView) }),
  };
}

/** A job in the list of the API key that created it. */
export function listedView(job: Job): ListedJob {
  const { plan: _, ...created } = createdView(job);
  return { ...created, status: job.status, paymentReceived: job.activatedAtMs !== undefined, ...lifeView(job) };
}

function lifeView(job: Job) {
  return {
    tokenAddress: job.tokenAddress,
    createdAt: time(job.createdAtMs),
    ...(job.activatedAtMs === undefined ? {} : { activatedAt: time(job.activatedAtMs) }),
    ...(job.endedAtMs === undefined ? {} : { endedAt: time(job.endedAtMs) }),
    ...(job.failureReason === undefined ? {} : { failureReason: job.failureReason }),
  };
}

export function operatorView(job: Job, refunds: readonly Refund[]): OperatorJob {
  const { metadata: _, ...seen } = statusView(job, refunds);
  return { ...seen, walletIndex: job.walletIndex, returnAddress: job.returnAddress };
}

function refundView({ amountWei, status, to, reason, returnedWei, transactionHash }: Refund) {
  return {
    amountWei: amountWei.toString(),
    status,
    ...(to === null ? {} : { to }),
    ...(reason === undefined ? {} : { reason }),
    ...(returnedWei === undefined ? {} : { returnedWei: returnedWei.toString() }),
    ...(transactionHash === undefined ? {} : { transactionHash }),
  };
}
