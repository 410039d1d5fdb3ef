import { findKnownDeposits } from '@maker/contracts';
import type { CreditedDeposits, RefundsRepository } from '@maker/execution-records';
import { type RequestClient, RequestFailedError } from '@maker/messaging';
import type { Logger } from '@maker/service-kit';

/**
 * Whether everything is known here that will ever be known of the money in a wallet: payment-watcher has credited all
 * that transactions show, the job service knows all of that, and all its refunds are known here. What is unexplained then
 * stays so, and can be reported without ever being reported twice. While a service is down, the money waits in the wallet.
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
