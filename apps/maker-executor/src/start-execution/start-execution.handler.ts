import { executionFailed, executionStarted, jobActivated } from '@maker/contracts';
import { EventConsumer, Outbox, type ParsedEvent } from '@maker/messaging';
import { Connection, onCommit } from '@maker/persistence';
import { DEFAULT_PLAN_LIMITS, splitDeposit } from '@maker/rules';
import { Clock, Logger } from '@maker/service-kit';
import type { SeedKeyring } from '@maker/signing/private';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { getAddress } from 'viem';
import type { z } from 'zod';
import { HeadFeed } from '../chain/head-feed.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import type { Execution } from '../execution/execution.ts';
import { agreedPlan, derivedPlan, type ExecutionPlan } from '../execution/execution-plan.ts';
import { ExecutionsRepository } from '../execution/executions.repository.ts';
import { type ActivatedJob, startExecution } from '../execution/new-execution.ts';
import { WalletClaims } from '../execution/wallet-claims.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { KEYRING } from '../send/transaction-sender.ts';

type JobActivated = z.output<typeof jobActivated.data>;

/** Begins the execution of each job that turned active, once. */
@Injectable()
export class StartExecutionHandler {
  private readonly started = new WeakSet<ClientSession>();

  constructor(
    consumer: EventConsumer,
    connection: Connection,
    @Inject(MAKER_CONFIGURATION) private readonly configuration: MakerConfiguration,
    @Inject(KEYRING) private readonly keyring: SeedKeyring,
    private readonly executions: ExecutionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly outbox: Outbox,
    private readonly feed: HeadFeed,
    claims: WalletClaims,
    private readonly clock: Clock,
    private readonly metrics: MakerMetrics,
    private readonly logger: Logger,
  ) {
    consumer.on('job', jobActivated, (event, session) => this.handle(event, session));
    onCommit(connection, (session) => {
      if (this.started.has(session)) claims.wake();
    });
  }

  private async handle(event: ParsedEvent<JobActivated>, session: ClientSession): Promise<void> {
    // A second event of the same job, under another id: its execution exists.
    if (await this.executions.find(event.jobId)) return;
    const job = this.read(event);
    const { execution, entries } = startExecution(
      job,
      this.keyring.wallet(job.walletIndex).address,
      new Date(this.clock.now()),
    );
    await this.executions.insert(execution, session);
    await this.ledger.append(entries, session);
    if (execution.phase === 'refused') await this.refuse(execution, session);
    else await this.announce(execution, session);
    this.started.add(session);
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
      'a job is refused: its wallet is not the one that the seed gives for its index. Do JOB_ACCOUNT_XPUB and MAKER_SEED_FILE belong together?',
    );
    const message = execution.heldReason ?? '';
    const data = { reason: 'technical' as const, message, ordersPlaced: 0, returnedWei: '0' };
    await this.outbox.record(executionFailed, { jobId, data }, session);
  }

  private read({ jobId, occurredAt, data }: ParsedEvent<JobActivated>): ActivatedJob {
    const depositWei = BigInt(data.depositWei);
    return {
      jobId,
      tokenAddress: getAddress(data.tokenAddress),
      walletAddress: getAddress(data.walletAddress),
      walletIndex: data.walletIndex,
      depositWei,
      returnAddress: data.returnAddress === null ? null : getAddress(data.returnAddress),
      plan: data.plan ? agreedPlan(data.plan) : this.planByDefault(depositWei),
      activatedAt: new Date(occurredAt),
    };
  }

  private planByDefault(depositWei: bigint): ExecutionPlan {
    const { MAKER_EXECUTION_WINDOW_SECONDS, MAKER_SLIPPAGE_BPS, MAKER_PRICE_BAND_BPS } = this.configuration;
    // Schedules run on the chain's clock, which a local chain may have moved on.
    const startAtMs = this.feed.chainNowMs;
    return derivedPlan(splitDeposit(depositWei).orderBudgetWei, startAtMs, {
      ...DEFAULT_PLAN_LIMITS,
      windowMs: MAKER_EXECUTION_WINDOW_SECONDS * 1000,
      slippageBps: MAKER_SLIPPAGE_BPS,
      bandBps: MAKER_PRICE_BAND_BPS,
    });
  }
}
