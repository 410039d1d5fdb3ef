import { paymentDeadlinePassed } from '@maker/contracts';
import { EventConsumer, EventTooEarlyError } from '@maker/messaging';
import { leastStartingWei } from '@maker/rules';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { needsDeposits } from '../evaluate-payment/evaluate-payment.ts';
import type { Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { ExecutorProofsService } from '../proof/executor-proofs.service.ts';
import { expireJob } from './expire-job.ts';

/**
 * Expires a job whose deadline passed on the chain without enough money, after maker-executor confirmed it. Source: design § 4
 * 'Deadline', docs/adr/0118.
 */
@Injectable()
export class ExpireJobHandler {
  constructor(
    consumer: EventConsumer,
    jobs: JobsRepository,
    deposits: DepositsRepository,
    changes: ApplyChangeService,
    clock: Clock,
    private readonly proofs: ExecutorProofsService,
  ) {
    const prove = async ({ jobId }: { jobId: string }) => this.assertUnpaid(await jobs.get(jobId));
    consumer.onProven('payment-watcher', paymentDeadlinePassed, prove, async ({ jobId, data }, _, session) => {
      const job = await jobs.get(jobId, session);
      const passed = { receivedWei: BigInt(data.receivedWei) };
      const credited = needsDeposits(job) ? await deposits.ofJob(jobId, session) : [];
      const change = expireJob(job, credited, passed, clock.now());
      if (change) await changes.apply(change, `block ${data.blockNumber} passed the deadline`, session);
    });
  }

  /** @throws EventTooEarlyError if the wallet holds enough for the payment: payment-watcher will report the missing deposits */
  private async assertUnpaid(job: Job): Promise<true> {
    if (job.status !== 'pending_payment') return true;
    const { isShown } = await this.proofs.balance({
      wallet: job.paymentAddress,
      leastWei: (leastStartingWei(job.paymentAmountWei) + job.assessment.lateWei).toString(),
      sinceBlock: 0,
      afterMs: job.paymentDeadlineMs,
    });
    if (isShown) throw new EventTooEarlyError('NOT_PROVEN_YET', `${job.jobId} holds money that was not credited yet`);
    return true;
  }
}
