import { type StartJobResponse, startJob as startJobRequest } from '@maker/contracts';
import { EventTooEarlyError, HandleRequest, RequestFailure } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Controller } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { activate } from '../evaluate-payment/evaluate-payment.ts';
import type { NotStartable } from '../evaluate-payment/startable-payment.ts';
import { type Startable, StartablePaymentsService } from '../evaluate-payment/startable-payments.service.ts';
import type { Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { Payers } from '../job/payers.ts';
import { passOn } from '../plan/refusals.ts';
import { ExecutorProofsService } from '../proof/executor-proofs.service.ts';

const CAUSE = 'its payer started it with the money that has arrived';

const SENTENCES: Readonly<Record<NotStartable | 'unproven', string>> = {
  ended: 'The job has ended without a payment.',
  deadline_passed: 'The time to pay is over. The money that has arrived is returned.',
  nothing_arrived: 'No money has arrived yet.',
  below_minimum: 'Less than the minimum has arrived. Send the rest, or wait: after the deadline the money is returned.',
  unknown_payer: 'The payer of this money is unknown. Name the address that receives tokens and change first.',
  unproven: 'The chain does not show all of this money at the moment. Try again in a minute.',
};

/** The job cannot be started with the money that has arrived. */
export class CannotStart extends RequestFailure {
  constructor(reason: keyof typeof SENTENCES) {
    super('NOT_POSSIBLE_NOW', SENTENCES[reason]);
  }
}

/** Answers `job.start`: activates a job with less than its amount for the holder of its stop secret. Source: docs/adr/0148. */
@Controller()
export class StartJobHandler {
  constructor(
    private readonly connection: Connection,
    private readonly jobs: JobsRepository,
    private readonly payers: Payers,
    private readonly startable: StartablePaymentsService,
    private readonly proofs: ExecutorProofsService,
    private readonly changes: ApplyChangeService,
    private readonly clock: Clock,
  ) {}

  /** @throws NotThePayer, CannotStart */
  @HandleRequest(startJobRequest)
  async start({ jobId, stopSecret }: z.output<typeof startJobRequest.request>): Promise<StartJobResponse> {
    const job = await this.payers.jobOf(jobId, stopSecret);
    if (job.payment) return started(job);
    await this.assertThere(job, await this.find(job));
    return inTransaction(this.connection, (session) => this.activate(jobId, session));
  }

  private async activate(jobId: string, session: ClientSession): Promise<StartJobResponse> {
    const job = await this.jobs.get(jobId, session);
    // The rest of the amount was credited at the same moment.
    if (job.payment) return started(job);
    const { payment, deposits } = await this.find(job, session);
    const nowMs = this.clock.now();
    // The deadline may pass between two readings of the clock; the money came before.
    const change = activate(job, payment, deposits, nowMs, Math.min(nowMs, job.paymentDeadlineMs));
    if (!change) throw new CannotStart('ended');
    // The payer agrees to less: the stop secret proved it above.
    await this.changes.apply({ ...change, agreedLeastWei: payment.amountWei }, CAUSE, session);
    return started(change.after);
  }

  private async find(job: Job, session?: ClientSession): Promise<Startable> {
    const startable = await this.startable.find(job, session);
    if (typeof startable === 'string') throw new CannotStart(startable);
    return startable;
  }

  /** The parts were proven one by one when they came; a reorganisation may have removed one since. @throws CannotStart */
  private async assertThere({ paymentAddress, assessment }: Job, { deposits }: Startable): Promise<void> {
    const { inTimeWei, lateWei } = assessment;
    const sinceBlock = Math.max(...deposits.map(({ blockNumber }) => blockNumber));
    const leastWei = (inTimeWei + lateWei).toString();
    const { isShown } = await this.proofs
      .balance({ wallet: paymentAddress, leastWei, sinceBlock })
      .catch((error: unknown) => (error instanceof EventTooEarlyError ? { isShown: false } : passOn(error)));
    if (!isShown) throw new CannotStart('unproven');
  }
}

function started({ status, payment }: Job): StartJobResponse {
  return { status, amountWei: (payment?.amountWei ?? 0n).toString() };
}
