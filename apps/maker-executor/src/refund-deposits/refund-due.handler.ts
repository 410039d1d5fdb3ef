import { executionResumed, jobCancelRequested, refundDue, refundHeld } from '@maker/contracts';
import { EventConsumer, EventTooEarlyError, Outbox, type ParsedEvent } from '@maker/messaging';
import { Connection, onCommit } from '@maker/persistence';
import { Clock, Logger } from '@maker/service-kit';
import type { SeedKeyring } from '@maker/signing/private';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { getAddress } from 'viem';
import type { z } from 'zod';
import { HeadFeed } from '../chain/head-feed.ts';
import type { Execution } from '../execution/execution.ts';
import { ExecutionsRepository } from '../execution/executions.repository.ts';
import { FOREIGN_WALLET, neverRan } from '../execution/new-execution.ts';
import { WalletClaims } from '../execution/wallet-claims.ts';
import { PausesRepository } from '../pause/pauses.repository.ts';
import type { Refund } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { KEYRING } from '../send/transaction-sender.ts';

type RefundDue = ParsedEvent<z.output<typeof refundDue.data>>;

/** Takes on each refund once, for jobs that never ran as well; and an operator's cancellation. */
@Injectable()
export class RefundDueHandler {
  private readonly touched = new WeakSet<ClientSession>();

  constructor(
    consumer: EventConsumer,
    connection: Connection,
    @Inject(KEYRING) private readonly keyring: SeedKeyring,
    private readonly executions: ExecutionsRepository,
    private readonly refunds: RefundsRepository,
    private readonly outbox: Outbox,
    private readonly pauses: PausesRepository,
    private readonly feed: HeadFeed,
    claims: WalletClaims,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    consumer.on('job', refundDue, (event, session) => this.takeOn(event, session));
    consumer.on('job', jobCancelRequested, ({ jobId }, session) => this.cancel(jobId, session));
    onCommit(connection, (session) => {
      if (this.touched.has(session)) claims.wake();
    });
  }

  private async takeOn({ jobId, data }: RefundDue, session: ClientSession): Promise<void> {
    if (await this.refunds.find(data.returnId, session)) return;
    const execution = (await this.executions.find(jobId, session)) ?? (await this.open(jobId, data, session));
    const refund: Refund = {
      id: data.returnId,
      jobId,
      depositIds: data.depositIds,
      amountWei: BigInt(data.amountWei),
      to: data.to === null ? null : getAddress(data.to),
      holdReason: data.holdReason ?? null,
      blockNumber: data.blockNumber,
      state: execution.phase === 'refused' ? 'held' : 'due',
      recordedAt: new Date(this.clock.now()),
    };
    await this.refunds.dropReported(data.depositIds, session);
    await this.refunds.insert(refund, session);
    if (execution.phase === 'refused') await this.refuse(refund, session);
    else await this.executions.signal(jobId, { attention: true }, session);
    this.touched.add(session);
  }

  private async open(jobId: string, data: RefundDue['data'], session: ClientSession): Promise<Execution> {
    if (data.activated) throw notStarted(jobId);
    const { walletIndex } = data;
    const job = {
      jobId,
      walletIndex,
      walletAddress: getAddress(data.walletAddress),
      tokenAddress: getAddress(data.tokenAddress),
    };
    const execution = neverRan(job, this.keyring.wallet(walletIndex).address, new Date(this.clock.now()));
    await this.executions.insert(execution, session);
    return execution;
  }

  private async refuse({ id: returnId, jobId, amountWei }: Refund, session: ClientSession): Promise<void> {
    this.logger.error({ jobId, returnId }, 'a deposit cannot be returned: its wallet is not one of this seed');
    const data = { returnId, amountWei: amountWei.toString(), reason: FOREIGN_WALLET };
    await this.outbox.record(refundHeld, { jobId, data }, session);
  }

  /** An end cannot wait for the resume of what will not go on: a cancelled job is not paused by an operator any more. */
  private async cancel(jobId: string, session: ClientSession): Promise<void> {
    const execution = await this.executions.find(jobId, session);
    if (!execution) throw notStarted(jobId);
    await this.executions.signal(jobId, { cancelled: true, operatorPause: null }, session);
    if (execution.operatorPause === null) return;
    await this.pauses.endByOperator(jobId, new Date(this.feed.chainNowMs), session);
    await this.outbox.record(executionResumed, { jobId, data: { reason: 'operator' } }, session);
  }
}

/** A job's refund or cancellation came before the job's activation was heard of. */
function notStarted(jobId: string): EventTooEarlyError {
  const message = `${jobId} is active, but its activation has not been heard of yet`;
  return new EventTooEarlyError('EXECUTION_NOT_STARTED', message);
}
