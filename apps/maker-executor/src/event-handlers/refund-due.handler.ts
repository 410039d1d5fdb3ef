import { executionResumed, jobCancelRequested, refundDue, refundHeld } from '@maker/contracts';
import {
  type Execution,
  FOREIGN_WALLET,
  neverRan,
  REFUSED_RECIPIENT,
  type Refund,
  transferClaims,
} from '@maker/execution-records';
import { EventConsumer, EventTooEarlyError, Outbox, type ParsedEvent } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { isCancelProven } from '@maker/signing/commands';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { getAddress } from 'viem';
import type { z } from 'zod';
import { Apply } from '../runner/apply.ts';
import { TickSources } from '../runner/tick-sources.ts';

type RefundRecipient = Pick<Refund, 'to' | 'sentBy' | 'holdReason'>;
type EventOf<Contract extends { readonly data: z.ZodType }> = ParsedEvent<z.output<Contract['data']>>;
type RefundDue = EventOf<typeof refundDue>;

/** Records each refund once, also for jobs that never ran, and each job's cancellation. The next tick reads them. */
@Injectable()
export class RefundDueHandler {
  constructor(
    consumer: EventConsumer,
    private readonly sources: TickSources,
    private readonly apply: Apply,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {
    consumer.on('job', refundDue, (event, session) => this.record(event, session));
    consumer.on('job', jobCancelRequested, (event, session) => this.cancel(event, session));
  }

  private async record({ jobId, data }: RefundDue, session: ClientSession): Promise<void> {
    const { refunds, executions, facts } = this.sources.database;
    if (await refunds.find(data.returnId, session)) return;
    const execution = (await executions.find(jobId, session)) ?? (await this.open(jobId, data, session));
    const refund: Refund = {
      id: data.returnId,
      jobId,
      depositIds: data.depositIds,
      amountWei: BigInt(data.amountWei),
      ...this.recipient(data),
      blockNumber: data.blockNumber,
      state: execution.phase === 'refused' ? 'held' : 'due',
      recordedAt: new Date(this.sources.feed.now()),
    };
    await refunds.dropReported(data.depositIds, session);
    await refunds.insert(refund, session);
    if (execution.phase === 'refused') await this.refuse(refund, execution.heldReason ?? FOREIGN_WALLET, session);
    else await facts.record(jobId, 'settle', session);
  }

  private recipient({ to, sentBy, holdReason, tokenAddress }: RefundDue['data']): RefundRecipient {
    if (to === null) return { to, holdReason: holdReason ?? null };
    const recipient = this.sources.recipients.read(to, tokenAddress);
    if (!recipient.ok) return { to: null, holdReason: `${REFUSED_RECIPIENT}: ${recipient.problem}` };
    return { to: getAddress(recipient.address), holdReason: null, ...(sentBy && { sentBy: transferClaims(sentBy) }) };
  }

  private async open(jobId: string, data: RefundDue['data'], session: ClientSession): Promise<Execution> {
    if (data.activated) throw notStarted(jobId);
    const seedAddress = this.apply.seedAddress(data.walletIndex);
    const execution = neverRan({ jobId, ...data }, seedAddress, new Date(this.sources.feed.now()));
    await this.apply.begin(execution, [], session);
    return execution;
  }

  private async refuse(
    { id: refundId, jobId, amountWei }: Refund,
    reason: string,
    session: ClientSession,
  ): Promise<void> {
    this.logger.error({ jobId, refundId, reason }, 'deposit of a refused job held');
    const data = { returnId: refundId, amountWei: amountWei.toString(), reason };
    await this.outbox.record(refundHeld, { jobId, data }, session);
  }

  /** A cancelled job ends, so an operator's pause of it ends too. */
  private async cancel({ jobId, data }: EventOf<typeof jobCancelRequested>, session: ClientSession): Promise<void> {
    const { executions, facts, pauses } = this.sources.database;
    const execution = await executions.find(jobId, session);
    if (!execution) throw notStarted(jobId);
    const command = data.commandedBy === undefined ? undefined : await this.outbox.find(data.commandedBy);
    if (!isCancelProven(execution, data, command)) return this.logger.error({ jobId }, 'cancellation not proven');
    await facts.record(jobId, 'cancel', session);
    if (!(await facts.resume(jobId, session))) return;
    await pauses.endByOperator(jobId, new Date(this.sources.feed.chainNowMs), session);
    await this.outbox.record(executionResumed, { jobId, data: { reason: 'operator' } }, session);
  }
}

/** Returns the error for a refund or cancellation that came before the job's activation. */
function notStarted(jobId: string): EventTooEarlyError {
  return new EventTooEarlyError('EXECUTION_NOT_STARTED', `${jobId} is active, but its activation has not arrived yet`);
}
