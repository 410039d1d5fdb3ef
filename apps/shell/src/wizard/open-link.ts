import { type ApiClient, getJobStatus, type LinkedJob, type OpenJob, unwrap } from '@maker/web-kit';

/**
 * The job of a link, for the payment step. This browser keeps what it already knows of the job: a link to share does not
 * remove a stored stop secret. @throws ApiCallError if the API does not know the job or does not answer
 */
export async function openLink(api: ApiClient, { jobId }: LinkedJob, known: readonly OpenJob[]): Promise<OpenJob> {
  const before = known.find((job) => job.jobId === jobId);
  if (before) return before;
  const status = unwrap(await getJobStatus(api, jobId));
  return {
    jobId,
    token: {
      tokenAddress: status.tokenAddress,
      // The token was validated when the job was created. The API does not return the pools of that time.
      liquidityStatus: { meetsMinimum: true, hasV2: false, hasV3: false },
    },
    paymentAddress: status.paymentAddress,
    paymentAmountWei: status.paymentAmountWei,
    paymentDeadline: status.paymentDeadline,
    createdAt: status.createdAt,
    plan: status.plan,
    isShared: true,
  };
}
