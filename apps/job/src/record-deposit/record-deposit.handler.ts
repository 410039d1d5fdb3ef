import { paymentReceived, surplusFound } from '@maker/contracts';
import { EventConsumer, type ParsedEvent } from '@maker/messaging';
import { isInTime } from '@maker/rules';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { AuditRepository } from '../audit.repository.ts';
import { DepositsRepository } from '../deposits.repository.ts';
import { JobMetrics } from '../job.metrics.ts';
import type { Deposit, Job } from '../job.ts';
import { JobChanges } from '../job-changes.ts';
import { JobsRepository } from '../jobs.repository.ts';
import { recordDeposit } from './record-deposit.ts';

type PaymentReceived = z.output<typeof paymentReceived.data>;

/** Credits each deposit that payment-watcher found, or maker-executor's ledger, once, and activates the job when there is enough. */
@Injectable()
export class RecordDepositHandler {
  constructor(
    consumer: EventConsumer,
    private readonly jobs: JobsRepository,
    private readonly deposits: DepositsRepository,
    private readonly changes: JobChanges,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
    private readonly metrics: JobMetrics,
  ) {
    consumer.on('payment-watcher', paymentReceived, (event, session) => this.handle(event, session));
    consumer.on('maker-executor', surplusFound, ({ data, ...event }, session) =>
      this.handle({ ...event, data: { ...data, kind: 'balance' } }, session),
    );
  }

  private async handle({ jobId, data }: ParsedEvent<PaymentReceived>, session: ClientSession): Promise<void> {
    const job = await this.jobs.get(jobId, session);
    const deposit = readDeposit(data);
    if (!(await this.deposits.credit(jobId, deposit, session))) return;
    const cause = `deposit ${deposit.depositId}`;
    this.metrics.depositOnCommit(deposit.kind, session);
    const change = recordDeposit(job, await this.deposits.ofJob(jobId, session), this.clock.now());
    const details = creditedDetails(deposit, change.after);
    await this.audit.append({ jobId, action: 'deposit.credited', cause, details }, session);
    await this.changes.apply(change, cause, session);
  }
}

function creditedDetails(deposit: Deposit, { assessment, paymentDeadlineMs }: Job) {
  const { underpaid, overpaid, late } = assessment;
  return {
    amountWei: deposit.amountWei.toString(),
    kind: deposit.kind,
    blockNumber: deposit.blockNumber,
    inTime: isInTime(deposit.blockTimestampMs, paymentDeadlineMs),
    ...(deposit.from === undefined ? {} : { from: deposit.from }),
    ...(deposit.transactionHash === undefined ? {} : { transactionHash: deposit.transactionHash }),
    ...{ underpaid, overpaid, late },
  };
}

function readDeposit({ amountWei, blockAt, from, transactionHash, ...rest }: PaymentReceived): Deposit {
  return {
    ...rest,
    amountWei: BigInt(amountWei),
    blockTimestampMs: Date.parse(blockAt),
    ...(from === undefined ? {} : { from }),
    ...(transactionHash === undefined ? {} : { transactionHash }),
  };
}
