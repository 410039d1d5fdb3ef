import { executionFailed, executionStarted, jobActivated } from '@maker/contracts';
import { activatedJob, type Execution, startExecution } from '@maker/execution-records';
import { EventConsumer, Outbox, type ParsedEvent } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { Apply } from '../runner/apply.ts';
import { TickSources } from '../runner/tick-sources.ts';

type JobActivated = z.output<typeof jobActivated.data>;

/** Starts one execution for each activated job. */
@Injectable()
export class StartExecutionHandler {
  constructor(
    consumer: EventConsumer,
    private readonly sources: TickSources,
    private readonly apply: Apply,
    private readonly outbox: Outbox,
    private readonly metrics: MakerMetrics,
    private readonly logger: Logger,
  ) {
    consumer.on('job', jobActivated, (event, session) => this.handle(event, session));
  }

  private async handle(event: ParsedEvent<JobActivated>, session: ClientSession): Promise<void> {
    // An earlier event with another id started this job.
    if (await this.sources.database.executions.find(event.jobId)) return;
    const job = activatedJob(event, this.sources.recipients);
    const seedAddress = this.apply.seedAddress(job.walletIndex);
    const now = new Date(this.sources.feed.now());
    const { execution, entries } = startExecution(job, seedAddress, now, this.sources.rules.trust);
    await this.apply.begin(execution, entries, session);
    if (execution.phase === 'refused') await this.refuse(execution, session);
    else await this.announce(execution, session);
  }

  private async announce(execution: Execution, session: ClientSession): Promise<void> {
    const { id: jobId, plannedOrders, plan, feeWei, orderBudgetWei } = execution;
    const data = {
      plannedOrders,
      intervalMs: plan.slotMs,
      feeWei: feeWei.toString(),
      orderBudgetWei: orderBudgetWei.toString(),
    };
    await this.outbox.record(executionStarted, { jobId, data }, session);
  }

  private async refuse(execution: Execution, session: ClientSession): Promise<void> {
    const { id: jobId, walletAddress, walletIndex, heldReason } = execution;
    const message = heldReason ?? '';
    this.metrics.refusedJob();
    this.logger.error({ jobId, walletAddress, walletIndex, reason: message }, 'job refused before its fee, money held');
    const data = { reason: 'technical' as const, message, ordersPlaced: 0, returnedWei: '0' };
    await this.outbox.record(executionFailed, { jobId, data }, session);
  }
}
