import { getJobStatus, getReceipt, type JobStatusResponse, type Receipt } from '@maker/contracts';
import { RequestClient, RequestFailedError } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { REQUEST_TIMEOUT } from '../configuration.ts';

/** Reads a job's status from the job service, and its receipt from receipts. */
@Injectable()
export class JobStatusReader {
  constructor(
    private readonly requests: RequestClient,
    @Inject(REQUEST_TIMEOUT) private readonly requestTimeoutMs: number,
    private readonly logger: Logger,
  ) {}

  /**
   * Reads the status. An unpaid job has no receipt, so its status needs the job service only, and a page shows the payment without
   * further delay.
   * @throws RequestFailedError if the job service fails; if receipts fails, only the receipt is missing
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
 * Merges status and receipt. Without an answer of receipts, the result has `receiptUnavailable` instead of the receipt:
 * payment and status must not depend on it.
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

/** Subtracts the tokens that the job bought and holds, by its receipt. Without the receipt, their amount is unknown, so the own token is left out. */
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
