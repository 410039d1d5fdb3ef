import { getJobStatus, getReceipt, type JobStatusResponse, type Receipt } from '@maker/contracts';
import { RequestClient, RequestFailedError } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { REQUEST_TIMEOUT } from '../configuration.ts';

/** Puts a job's status together from the job service and, for the receipt, maker-executor. */
@Injectable()
export class JobStatusReader {
  constructor(
    private readonly requests: RequestClient,
    @Inject(REQUEST_TIMEOUT) private readonly requestTimeoutMs: number,
    private readonly logger: Logger,
  ) {}

  /**
   * A job that waits for its payment has no receipt, and nobody is asked for it: who waits to hear that the payment is there waits for the
   * job service alone.
   * @throws RequestFailedError when the job service fails; without maker-executor only the receipt is missing
   */
  async read(jobId: string): Promise<JobStatusResponse> {
    const status = await this.requests.request(getJobStatus, { jobId });
    return status.status === 'pending_payment' ? status : mergeStatus(status, await this.receipt(jobId));
  }

  private async receipt(jobId: string): Promise<Receipt | null | 'unavailable'> {
    // A visitor who waits for the status must not wait as long again for its receipt.
    const timeoutMs = this.requestTimeoutMs / 2;
    try {
      const { receipt } = await this.requests.request(getReceipt, { jobId }, timeoutMs);
      return receipt;
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error;
      this.logger.warn({ err: error, jobId }, 'status answered without its receipt');
      return 'unavailable';
    }
  }
}

/**
 * Status and receipt as one answer. Where maker-executor gave no answer the receipt is left out and
 * `receiptUnavailable` says so: payment and status must not depend on it.
 * @param receipt null while no execution exists
 */
export function mergeStatus(
  status: z.output<typeof getJobStatus.reply>,
  receipt: Receipt | null | 'unavailable',
): JobStatusResponse {
  const merged = withoutBought(status, receipt);
  if (receipt === 'unavailable') return { ...merged, receiptUnavailable: true };
  return receipt === null ? merged : { ...merged, receipt };
}

/** What a job bought and holds is in its receipt: only what is more was found. Without the receipt it is not known how much. */
function withoutBought(
  { foundTokens = [], ...status }: JobStatusResponse,
  receipt: Receipt | null | 'unavailable',
): JobStatusResponse {
  const found = foundTokens.flatMap((token) => {
    if (token.tokenAddress.toLowerCase() !== status.tokenAddress.toLowerCase() || receipt === null) return token;
    if (receipt === 'unavailable') return [];
    const amount = BigInt(token.amount) - BigInt(receipt.heldTokens ?? '0');
    return amount > 0n ? { ...token, amount: `${amount}` } : [];
  });
  return { ...status, ...(found.length > 0 && { foundTokens: found }) };
}
