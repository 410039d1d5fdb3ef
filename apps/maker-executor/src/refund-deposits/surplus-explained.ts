import { findKnownDeposits } from '@maker/contracts';
import { RequestClient, RequestFailedError } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { CreditedDeposits } from '../refund/credited-deposits.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';

/**
 * Whether everything is known here that will ever be heard of the money in a wallet: payment-watcher has credited all
 * that transactions show, the job service has heard of all of that, and here all its returns have been heard of. What
 * is unexplained then stays so, and can be reported without ever being reported twice. Nobody's clock decides it: while one of
 * them is down, the money waits in the wallet and shows as held.
 */
@Injectable()
export class SurplusExplained {
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
      this.logger.debug({ err: error, jobId }, 'those who could explain the money do not answer; it waits');
      return false;
    }
  }
}
