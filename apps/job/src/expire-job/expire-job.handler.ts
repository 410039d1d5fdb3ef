import { paymentDeadlinePassed } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { needsDeposits } from '../evaluate-payment/evaluate-payment.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { expireJob } from './expire-job.ts';

/** Expires the job whose deadline the chain has passed without enough money. Source: design § 4 'Deadline'. */
@Injectable()
export class ExpireJobHandler {
  constructor(
    consumer: EventConsumer,
    jobs: JobsRepository,
    deposits: DepositsRepository,
    changes: ApplyChangeService,
    clock: Clock,
  ) {
    consumer.on('payment-watcher', paymentDeadlinePassed, async ({ jobId, data }, session) => {
      const job = await jobs.get(jobId, session);
      const passed = { receivedWei: BigInt(data.receivedWei) };
      const isNeeded = needsDeposits({ ...job, deadlinePassed: passed });
      const credited = isNeeded ? await deposits.ofJob(jobId, session) : [];
      const change = expireJob(job, credited, passed, clock.now());
      if (change) await changes.apply(change, `block ${data.blockNumber} passed the deadline`, session);
    });
  }
}
