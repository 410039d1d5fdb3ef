import { listKnownDeposits } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';

/** Answers which deposits of a job were heard of, and which refunds were begun. */
@Controller()
export class KnownDepositsHandler {
  constructor(
    private readonly deposits: DepositsRepository,
    private readonly refunds: RefundsRepository,
  ) {}

  @HandleRequest(listKnownDeposits)
  async list({ jobId }: { jobId: string }) {
    // In this order: a refund is begun in the transaction that records its deposit.
    const depositIds = await this.deposits.idsOfJob(jobId);
    return { depositIds, returnIds: await this.refunds.idsOfJob(jobId) };
  }
}
