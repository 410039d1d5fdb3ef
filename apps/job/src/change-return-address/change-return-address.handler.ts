import { type ChangeReturnAddressResponse, changeReturnAddress as changeReturnAddressRequest } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Controller } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { AuditRepository } from '../audit/audit.repository.ts';
import { assertNoWallet } from '../create-job/create-job.ts';
import type { Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { isStopSecret } from '../job/stop-secret.ts';
import { RecipientsService } from '../recipient/recipients.service.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { NotThePayer } from '../stop-job/stop-job.handler.ts';
import { changeReturnAddress, proposeReturnAddress } from './change-return-address.ts';

type Command = z.output<typeof changeReturnAddressRequest.request>;

/** Answers `job.return_address.change`: sets the return address until the job is active, or proposes one while the payer is unknown. */
@Controller()
export class ChangeReturnAddressHandler {
  constructor(
    private readonly connection: Connection,
    private readonly jobs: JobsRepository,
    private readonly audit: AuditRepository,
    private readonly recipients: RecipientsService,
    private readonly refunds: RefundsRepository,
  ) {}

  /** @throws NotThePayer, ReturnAddressRefused, ReturnAddressIsContract, ReturnAddressIsWallet, ReturnAddressIsFixed */
  @HandleRequest(changeReturnAddressRequest)
  async change(command: Command): Promise<ChangeReturnAddressResponse> {
    const { jobId, stopSecret, returnAddress, returnAddressIsContract: isContract = false } = command;
    if (!isStopSecret(stopSecret, await this.jobs.stopSecretHash(jobId))) throw new NotThePayer();
    const { tokenAddress } = await this.jobs.get(jobId);
    await this.recipients.assertUsable({ returnAddress, tokenAddress, isContract });
    const { status } = await inTransaction(this.connection, (session) => this.write(jobId, returnAddress, session));
    return { returnAddress, ...(status !== 'pending_payment' && { awaitsOperator: true }) };
  }

  private async write(jobId: string, returnAddress: string, session: ClientSession): Promise<Job> {
    const job = await this.jobs.get(jobId, session);
    assertNoWallet({ ...job, returnAddress }, await this.jobs.walletsAmong([returnAddress], session));
    const isUnpaid = job.status === 'pending_payment';
    const change = isUnpaid
      ? changeReturnAddress(job, returnAddress)
      : proposeReturnAddress(job, returnAddress, await this.refunds.ofJob(jobId));
    await this.jobs.update(change, session);
    const details = { returnAddress };
    const action = isUnpaid ? 'job.return_address_changed' : 'job.return_address_proposed';
    await this.audit.append({ jobId, action, cause: 'its payer', details }, session);
    return job;
  }
}
