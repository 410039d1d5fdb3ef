import { type CreditedDeposit, findKnownDeposits, listDeposits, MOST_DEPOSITS_LISTED } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { Address } from 'viem';
import type { z } from 'zod';
import { type Deposit, PAYS_FOR_JOB } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { JobsRepository } from '../job/jobs.repository.ts';

/** Answers which deposits of a job are recorded, and which refunds of them have begun. */
@Controller()
export class KnownDepositsHandler {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly deposits: DepositsRepository,
  ) {}

  @HandleRequest(listDeposits)
  async list({ jobId, after = '' }: z.output<typeof listDeposits.request>) {
    const { paymentAddress } = await this.jobs.get(jobId);
    const deposits = await this.deposits.ofAddress(paymentAddress.toLowerCase(), after, MOST_DEPOSITS_LISTED);
    return { deposits: deposits.map(shown) };
  }

  @HandleRequest(findKnownDeposits)
  async find({ jobId, depositIds }: z.output<typeof findKnownDeposits.request>) {
    const claims = await this.deposits.claims(jobId, depositIds);
    const refunds = [...claims.values()].flatMap((claim) => (claim === PAYS_FOR_JOB ? [] : (claim ?? [])));
    const returnIds = new Set(refunds);
    return { depositIds: [...claims.keys()], returnIds: [...returnIds] };
  }
}

function shown({ depositId, kind, amountWei, from, transactionHash, blockNumber }: Deposit): CreditedDeposit {
  return {
    ...{ depositId, kind, blockNumber, amountWei: amountWei.toString() },
    ...(from !== undefined && { from: from as Address }),
    ...(transactionHash !== undefined && { transactionHash }),
  };
}
