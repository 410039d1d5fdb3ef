import { executionFailed, executionStarted, jobActivated } from '@maker/contracts';
import {
  type ActivatedJob,
  agreedPlan,
  type Execution,
  REFUSED_RECIPIENT,
  startExecution,
  transferClaims,
} from '@maker/execution-records';
import { EventConsumer, Outbox, type ParsedEvent } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { type Address, getAddress } from 'viem';
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
    const job = this.read(event);
    const seedAddress = this.apply.seedAddress(job.walletIndex);
    const { execution, entries } = startExecution(job, seedAddress, new Date(this.sources.feed.now()));
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
    const { id: jobId, walletAddress, walletIndex } = execution;
    this.metrics.refusedJob();
    this.logger.error(
      { jobId, walletAddress, walletIndex },
      'job refused, its wallet is not derived from the seed at its index; check that JOB_ACCOUNT_XPUB belongs to MAKER_SEED_FILE',
    );
    const message = execution.heldReason ?? '';
    const data = { reason: 'technical' as const, message, ordersPlaced: 0, returnedWei: '0' };
    await this.outbox.record(executionFailed, { jobId, data }, session);
  }

  private read({ jobId, occurredAt, data }: ParsedEvent<JobActivated>): ActivatedJob {
    const tokenAddress = getAddress(data.tokenAddress);
    return {
      jobId,
      tokenAddress,
      walletAddress: getAddress(data.walletAddress),
      walletIndex: data.walletIndex,
      depositWei: BigInt(data.depositWei),
      ...this.recipient(data, tokenAddress),
      stopCommitments: data.stopCommitments,
      plan: agreedPlan(data.plan),
      activatedAt: new Date(occurredAt),
    };
  }
  /** Returns the recipient of the rest: the visitor's address, or a reported payer that the chain must still prove. */
  private recipient(
    { returnAddress, paidBy }: JobActivated,
    tokenAddress: Address,
  ): Pick<ActivatedJob, 'returnAddress' | 'payerClaim' | 'refusedAddress'> {
    if (returnAddress === null) return { returnAddress };
    const recipient = this.sources.recipients.read(returnAddress, tokenAddress);
    if (!recipient.ok) return { returnAddress: null, refusedAddress: `${REFUSED_RECIPIENT}: ${recipient.problem}` };
    const address = getAddress(recipient.address);
    if (!paidBy) return { returnAddress: address };
    return { returnAddress: null, payerClaim: { payer: address, transfers: transferClaims(paidBy), isProven: false } };
  }
}
