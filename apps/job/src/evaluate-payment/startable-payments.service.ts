import { Clock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';
import type { Deposit } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import type { Payment } from '../deposit/payment.ts';
import type { Job } from '../job/job.ts';
import { type NotStartable, notStartable, startablePayment } from './startable-payment.ts';

/** A payment that may start its job, with the deposits of the job. */
export interface Startable {
  readonly payment: Payment;
  readonly deposits: readonly Deposit[];
}

/** Finds the payments with which jobs may be started before their whole amount has come. */
@Injectable()
export class StartablePaymentsService {
  constructor(
    @Inject(JOB_CONFIGURATION) private readonly configuration: JobConfiguration,
    private readonly deposits: DepositsRepository,
    private readonly clock: Clock,
  ) {}

  /** Reads a job's deposits only if its sums allow a start. */
  async find(job: Job, session: ClientSession | null = null): Promise<Startable | NotStartable> {
    const { MINIMUM_PAYMENT_HYPE: minimumWei } = this.configuration;
    const nowMs = this.clock.now();
    const refusal = notStartable(job, minimumWei, nowMs);
    if (refusal) return refusal;
    const deposits = await this.deposits.ofJob(job.jobId, session);
    const payment = startablePayment(job, deposits, minimumWei, nowMs);
    return typeof payment === 'string' ? payment : { payment, deposits };
  }

  /** The sum with which a job may be started now, wei; undefined if none. */
  async sumOf(job: Job): Promise<bigint | undefined> {
    const startable = await this.find(job);
    return typeof startable === 'string' ? undefined : startable.payment.amountWei;
  }
}
