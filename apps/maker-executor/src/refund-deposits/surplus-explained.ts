import { listCreditedDeposits, listKnownDeposits } from '@maker/contracts';
import { RequestClient, RequestFailedError } from '@maker/messaging';
import { LOGGER } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
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
    private readonly refunds: RefundsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param atBlock block whose state showed the money */
  async isComplete(jobId: string, atBlock: number): Promise<boolean> {
    try {
      const credited = await this.requests.request(listCreditedDeposits, { jobId });
      if (credited.completeToBlock < atBlock) return false;
      const known = await this.requests.request(listKnownDeposits, { jobId });
      const creditedIds = credited.deposits.map(({ depositId }) => depositId);
      if (!contains(known.depositIds, creditedIds)) return false;
      const refunds = await this.refunds.ofJob(jobId);
      return contains(
        refunds.map(({ id }) => id),
        known.returnIds,
      );
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error;
      this.logger.debug({ err: error, jobId }, 'those who could explain the money do not answer; it waits');
      return false;
    }
  }
}

function contains(all: readonly string[], some: readonly string[]): boolean {
  const set = new Set(all);
  return some.every((one) => set.has(one));
}
