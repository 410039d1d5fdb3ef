import { findKnownDeposits } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { PAYS_FOR_JOB } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';

/** Answers which of these deposits of a job are recorded, and which refunds of them have begun. */
@Controller()
export class KnownDepositsHandler {
  constructor(private readonly deposits: DepositsRepository) {}

  @HandleRequest(findKnownDeposits)
  async find({ jobId, depositIds }: z.output<typeof findKnownDeposits.request>) {
    const claims = await this.deposits.claims(jobId, depositIds);
    const refunds = [...claims.values()].flatMap((claim) => (claim === PAYS_FOR_JOB ? [] : (claim ?? [])));
    const returnIds = new Set(refunds);
    return { depositIds: [...claims.keys()], returnIds: [...returnIds] };
  }
}
