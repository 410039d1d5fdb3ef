import { listKnownDeposits } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { DepositsRepository } from '../deposits.repository.ts';
import { ReturnsRepository } from '../returns.repository.ts';

/** Answers which deposits of a job were heard of, and which returns were ordered. */
@Controller()
export class KnownDepositsHandler {
  constructor(
    private readonly deposits: DepositsRepository,
    private readonly returns: ReturnsRepository,
  ) {}

  @HandleRequest(listKnownDeposits)
  async list({ jobId }: { jobId: string }) {
    // In this order: a return is ordered in the transaction that records its deposit.
    const depositIds = await this.deposits.idsOfJob(jobId);
    return { depositIds, returnIds: await this.returns.idsOfJob(jobId) };
  }
}
