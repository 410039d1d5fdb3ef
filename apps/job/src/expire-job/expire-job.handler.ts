import { paymentDeadlinePassed } from '@maker/contracts';
import { EventConsumer, type ParsedEvent } from '@maker/messaging';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { needsDeposits } from '../evaluate-payment/evaluate-payment.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { expireJob } from './expire-job.ts';

type DeadlinePassedEvent = ParsedEvent<z.output<typeof paymentDeadlinePassed.data>>;

/** Expires the job whose deadline the chain has passed without enough money. Source: design § 4 'Deadline'. */
@Injectable()
export class ExpireJobHandler {
  constructor(
    consumer: EventConsumer,
    private readonly jobs: JobsRepository,
    private readonly deposits: DepositsRepository,
    private readonly changes: ApplyChangeService,
    private readonly clock: Clock,
  ) {
    consumer.on('payment-watcher', paymentDeadlinePassed, (event, session) => this.handle(event, session));
  }

  private async handle({ jobId, data }: DeadlinePassedEvent, session: ClientSession): Promise<void> {
    const job = await this.jobs.get(jobId, session);
    const passed = { receivedWei: BigInt(data.receivedWei) };
    const isNeeded = needsDeposits({ ...job, deadlinePassed: passed });
    const deposits = isNeeded ? await this.deposits.ofJob(jobId, session) : [];
    const change = expireJob(job, deposits, passed, this.clock.now());
    if (change) await this.changes.apply(change, `block ${data.blockNumber} passed the deadline`, session);
  }
}
