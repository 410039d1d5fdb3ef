import {
  type ChangeReturnAddressResponse,
  changeReturnAddress as changeReturnAddressRequest,
  type SignedTerms,
} from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { AgreementKey } from '@maker/signing/agreement-key';
import { Controller } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { AuditRepository } from '../audit/audit.repository.ts';
import { assertNoWallet } from '../create-job/create-job.ts';
import type { Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { Payers } from '../job/payers.ts';
import { RecipientsService } from '../recipient/recipients.service.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { ChangedTooOften, changeReturnAddress, proposeReturnAddress } from './change-return-address.ts';

type Command = z.output<typeof changeReturnAddressRequest.request>;

/** Answers `job.return_address.change`: sets the return address until the job is active, or proposes one while the payer is unknown. */
@Controller()
export class ChangeReturnAddressHandler {
  constructor(
    private readonly connection: Connection,
    private readonly jobs: JobsRepository,
    private readonly payers: Payers,
    private readonly agreementKey: AgreementKey,
    private readonly clock: Clock,
    private readonly audit: AuditRepository,
    private readonly recipients: RecipientsService,
    private readonly refunds: RefundsRepository,
  ) {}

  /** @throws NotThePayer, ReturnAddressRefused, ReturnAddressIsContract, ReturnAddressIsWallet, ReturnAddressIsFixed */
  @HandleRequest(changeReturnAddressRequest)
  async change(command: Command): Promise<ChangeReturnAddressResponse> {
    const { jobId, stopSecret, returnAddress, returnAddressIsContract: isContract = false } = command;
    const { tokenAddress } = await this.payers.jobOf(jobId, stopSecret);
    await this.recipients.assertUsable({ returnAddress, tokenAddress, isContract });
    const { status } = await inTransaction(this.connection, (session) => this.write(jobId, returnAddress, session));
    return { returnAddress, ...(status !== 'pending_payment' && { awaitsOperator: true }) };
  }

  private async write(jobId: string, returnAddress: string, session: ClientSession): Promise<Job> {
    const job = await this.jobs.get(jobId, session);
    assertNoWallet({ ...job, returnAddress }, await this.jobs.walletsAmong([returnAddress], session));
    const isUnpaid = job.status === 'pending_payment';
    const change = isUnpaid
      ? changeReturnAddress(job, returnAddress, await this.amend(job, returnAddress))
      : proposeReturnAddress(job, returnAddress, await this.refunds.ofJob(jobId));
    await this.jobs.update(change, session);
    const details = { returnAddress };
    const action = isUnpaid ? 'job.return_address_changed' : 'job.return_address_proposed';
    await this.audit.append({ jobId, action, cause: 'its payer', details }, session);
    return job;
  }

  /** Signs the change: only a payer reaches this, by the secret of the verified agreement. @throws ChangedTooOften */
  private async amend({ terms }: Job, returnAddress: string): Promise<SignedTerms> {
    const change = { returnAddress: returnAddress as `0x${string}` };
    const amended = terms && (await this.agreementKey.amend(terms, change, this.clock.now()));
    if (!amended) throw new ChangedTooOften();
    return amended;
  }
}
