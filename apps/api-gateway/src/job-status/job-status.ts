import type { getJobStatus, JobStatusResponse, Receipt } from '@maker/contracts';
import type { z } from 'zod';

/**
 * Status and receipt as one answer. Where maker-executor gave no answer the receipt is left out and
 * `receiptUnavailable` says so: payment and status must not depend on it.
 * @param receipt null while no execution exists
 */
export function mergeStatus(
  status: z.output<typeof getJobStatus.reply>,
  receipt: Receipt | null | 'unavailable',
): JobStatusResponse {
  if (receipt === 'unavailable') return { ...status, receiptUnavailable: true };
  return receipt === null ? status : { ...status, receipt };
}
