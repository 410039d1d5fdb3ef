import { findKnownDeposits } from '@maker/contracts';
import type { CreditedDeposits, RefundsRepository } from '@maker/execution-records';
import { type RequestClient, RequestFailedError } from '@maker/messaging';
import type { Logger } from '@maker/service-kit';

/**
 * Checks that all services know all deposits of a wallet. payment-watcher has credited each deposit that transactions show,
 * the job service knows each of them, and this service knows all its refunds. Other money in the wallet then stays
 * unexplained, and this service reports it once. While a service is down, the money waits in the wallet.
 */
export class DepositsKnown {
  constructor(
    private readonly requests: RequestClient,
    private readonly credited: CreditedDeposits,
    private readonly refunds: RefundsRepository,
    private readonly logger: Logger,
  ) {}

  /** @param atBlock block whose state showed the money */
  async isComplete(jobId: string, atBlock: number): Promise<boolean> {
    try {
      for await (const { completeToBlock, deposits } of this.credited.pages(jobId)) {
        if (completeToBlock < atBlock) return false;
        const depositIds = deposits.map(({ depositId }) => depositId);
        const known = await this.requests.request(findKnownDeposits, { jobId, depositIds });
        if (known.depositIds.length < depositIds.length) return false;
        if (!(await this.refunds.areKnown(known.returnIds))) return false;
      }
      return true;
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error;
      this.logger.debug({ err: error, jobId }, 'deposits not explained, a service does not answer');
      return false;
    }
  }
}
