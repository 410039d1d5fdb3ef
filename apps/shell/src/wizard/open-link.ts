import { type ApiClient, getJobStatus, type LinkedJob, type OpenJob, unwrap } from '@maker/web-kit';

/**
 * The job of a link, as the payment step needs it. What this browser knows of it is kept: a link to share takes the power
 * to stop from nobody. @throws ApiCallError where the API knows no such job or does not answer
 */
export async function openLink(
  api: ApiClient,
  { jobId, stopSecret }: LinkedJob,
  known: readonly OpenJob[],
): Promise<OpenJob> {
  const before = known.find((job) => job.jobId === jobId);
  const power = stopSecret === undefined ? {} : { stopSecret };
  if (before) return { ...before, ...power };
  const status = unwrap(await getJobStatus(api, jobId));
  return {
    jobId,
    token: {
      tokenAddress: status.tokenAddress,
      // The token was validated when the job was created; what was in its pools then is not told.
      liquidityStatus: { meetsMinimum: true, hasV2: false, hasV3: false },
    },
    paymentAddress: status.paymentAddress,
    paymentAmountWei: status.paymentAmountWei,
    paymentDeadline: status.paymentDeadline,
    createdAt: status.createdAt,
    plan: status.plan,
    ...(stopSecret === undefined && { isShared: true }),
    ...power,
  };
}
