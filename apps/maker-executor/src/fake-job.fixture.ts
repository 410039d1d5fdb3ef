import {
  bookCapacity,
  type CreditedDeposit,
  executionCompleted,
  executionFailed,
  executionPaused,
  executionResumed,
  findKnownDeposits,
  fundsReleased,
  getJobPayment,
  jobActivated,
  jobCancelRequested,
  listCreditedDeposits,
  listDeposits,
  refundDue,
  refundHeld,
  refundPaid,
  surplusFound,
} from '@maker/contracts';
import { agreedPlan } from '@maker/execution-records';
import { agreedTerms } from '@maker/execution-records/testing';
import {
  EventConsumer,
  HandleRequest,
  Outbox,
  type ParsedEvent,
  RequestFailure,
  serviceModule,
} from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { Connection, inTransaction } from '@maker/persistence';
import { type JobStatus, parseHype } from '@maker/rules';
import { createLogger } from '@maker/service-kit';
import { stopCommitment, stopProof } from '@maker/signing/commands';
import { agreementFixture, termsFixture } from '@maker/signing/testing';
import { Controller, type INestMicroservice } from '@nestjs/common';
import type { Address } from 'viem';
import type { z } from 'zod';

/** Default proof of a job's stop secret. */
const PAYERS = { stopProof: stopProof('stop_secret') };
const PAYERS_HASH = stopCommitment(PAYERS.stopProof);

/** The maker's event about a job's end. */
export type Ending =
  | { readonly kind: 'completed'; readonly data: z.output<typeof executionCompleted.data> }
  | { readonly kind: 'failed'; readonly data: z.output<typeof executionFailed.data> };

/** Events of the maker about money that pays for no order. */
export type RefundEvent =
  | { readonly kind: 'returned'; readonly data: z.output<typeof refundPaid.data> }
  | { readonly kind: 'held'; readonly data: z.output<typeof refundHeld.data> }
  | { readonly kind: 'surplus'; readonly data: z.output<typeof surplusFound.data> }
  | { readonly kind: 'released'; readonly data: z.output<typeof fundsReleased.data> };

/** Answers of payment-watcher and the job service about deposits. At first payment-watcher has read no block. */
export class Explanations {
  completeToBlock = -1;
  /** Ids of deposits that payment-watcher has credited. */
  credited: string[] = [];
  /** Further plain transfers that payment-watcher has credited, by job. */
  readonly transfers = new Map<string, CreditedDeposit[]>();
  /** Ids of deposits that the job service knows. */
  known: string[] = [];
  /** Whether the job service books the pace of each job. */
  hasCapacity = true;
  /** Jobs that were never active: their status in the job service. */
  readonly unpaid = new Map<string, { status: JobStatus; paymentAddress: string }>();
}

@Controller()
class ExplanationsHandler {
  constructor(private readonly explanations: Explanations) {}

  @HandleRequest(listCreditedDeposits)
  credited({ jobId }: { jobId: string }) {
    return { completeToBlock: this.explanations.completeToBlock, deposits: this.depositsOf(jobId) };
  }

  @HandleRequest(listDeposits)
  recorded({ jobId }: { jobId: string }) {
    return { deposits: this.depositsOf(jobId) };
  }

  @HandleRequest(findKnownDeposits)
  known() {
    return { depositIds: this.explanations.known, returnIds: [] };
  }

  @HandleRequest(bookCapacity)
  book() {
    return { isBooked: this.explanations.hasCapacity };
  }

  @HandleRequest(getJobPayment)
  payment({ jobId }: { jobId: string }) {
    const job = this.explanations.unpaid.get(jobId);
    if (!job) throw new RequestFailure('JOB_NOT_FOUND', `No job ${jobId}`);
    return {
      ...{ jobId, ...job, paymentReceived: false, paymentAmount: 0.5, paymentAmountWei: `${parseHype('0.5')}` },
      ...{ paymentDeadline: new Date().toISOString(), receivedWei: '0', lateWei: '0' },
      flags: { underpaid: false, overpaid: false, late: false },
    };
  }

  private depositsOf(jobId: string) {
    const { credited, transfers } = this.explanations;
    const ids = credited.map((depositId) => ({ depositId, kind: 'balance', amountWei: '0', blockNumber: 0 }));
    return [...ids, ...(transfers.get(jobId) ?? [])];
  }
}

/** Fake job service: announces jobs by its outbox, and keeps the maker's events of each job. */
export class FakeJob {
  private readonly endingsByJob = new Map<string, Ending[]>();
  private readonly pausesByJob = new Map<string, string[]>();
  private readonly refundsByJob = new Map<string, RefundEvent[]>();

  private constructor(readonly app: INestMicroservice) {
    const consumer = app.get(EventConsumer);
    consumer.on('maker-executor', executionCompleted, async ({ jobId, data }) =>
      append(this.endingsByJob, jobId, { kind: 'completed', data }),
    );
    consumer.on('maker-executor', executionFailed, async ({ jobId, data }) =>
      append(this.endingsByJob, jobId, { kind: 'failed', data }),
    );
    consumer.on('maker-executor', refundPaid, async ({ jobId, data }) =>
      append(this.refundsByJob, jobId, { kind: 'returned', data }),
    );
    consumer.on('maker-executor', refundHeld, async ({ jobId, data }) =>
      append(this.refundsByJob, jobId, { kind: 'held', data }),
    );
    consumer.on('maker-executor', surplusFound, async ({ jobId, data }) =>
      append(this.refundsByJob, jobId, { kind: 'surplus', data }),
    );
    consumer.on('maker-executor', fundsReleased, async ({ jobId, data }) =>
      append(this.refundsByJob, jobId, { kind: 'released', data }),
    );
    const keepPause =
      (change: string) =>
      async ({ jobId, data }: ParsedEvent<{ reason: string }>) =>
        append(this.pausesByJob, jobId, `${change} ${data.reason}`);
    consumer.on('maker-executor', executionPaused, keepPause('paused'));
    consumer.on('maker-executor', executionResumed, keepPause('resumed'));
  }

  /** @param mongoUrl URL of the fake's own database */
  static async start(natsUrl: string, mongoUrl: string): Promise<FakeJob> {
    const common = { LOG_LEVEL: 'fatal', LISTEN_HOST: '127.0.0.1', OPS_PORT: 0, SHUTDOWN_DRAIN_MS: 0 } as const;
    const logger = createLogger('job', 'fatal');
    const configuration = { ...common, NATS_URL: [natsUrl] };
    const parts = { mongoUrl, events: 'job' as const, controllers: [ExplanationsHandler], providers: [Explanations] };
    const job = serviceModule('job', configuration, logger, parts);
    return new FakeJob(await startServer(job, { servers: [natsUrl], queue: 'job' }));
  }

  get explanations(): Explanations {
    return this.app.get(Explanations);
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  endings(jobId: string): readonly Ending[] {
    return this.endingsByJob.get(jobId) ?? [];
  }

  /** Pauses and resumes such as 'paused gas_guardrail', in the order of the events. */
  pauses(jobId: string): readonly string[] {
    return this.pausesByJob.get(jobId) ?? [];
  }

  /** Events about money that pays for no order, in their order. */
  returns(jobId: string): readonly RefundEvent[] {
    return this.refundsByJob.get(jobId) ?? [];
  }

  /** Publishes that a refund is due, by default to the agreed return address if it names no sender. */
  async returnDue(jobId: string, data: z.input<typeof refundDue.data>): Promise<void> {
    const [wallet, returnAddress] = [data.walletAddress, data.sentBy ? null : data.to].map(
      (address) => address?.toLowerCase() as Address,
    );
    const agreement = agreementFixture({ jobId, ...(wallet && { wallet }), returnAddress: returnAddress ?? null });
    const terms = termsFixture(agreement);
    await inTransaction(this.app.get(Connection), (session) =>
      this.app.get(Outbox).record(refundDue, { jobId, data: { terms, ...data } }, session),
    );
  }

  /** Publishes a job's cancellation, by default with the payer's proof. */
  async cancel(jobId: string, data: z.input<typeof jobCancelRequested.data> = PAYERS): Promise<void> {
    await inTransaction(this.app.get(Connection), (session) =>
      this.app.get(Outbox).record(jobCancelRequested, { jobId, data }, session),
    );
  }

  /** Publishes a job's activation, by default as agreed. Each call is a new event. @param stopSecretHash of the agreement */
  async activate(jobId: string, data: z.input<typeof jobActivated.data>, stopSecretHash = PAYERS_HASH): Promise<void> {
    const { plan, paidBy, returnAddress } = data;
    const agreed = {
      ...{ jobId, plan: agreedPlan(plan), depositWei: BigInt(data.depositWei) },
      // After the payment on any clock: the chain of a spec may run ahead.
      activatedAt: agreedPlan(plan).tradingEndsAt,
      tokenAddress: data.tokenAddress as Address,
      walletAddress: data.walletAddress as Address,
      walletIndex: data.walletIndex,
      returnAddress: paidBy ? null : (returnAddress as Address | null),
      ...(paidBy && { payerClaim: { payer: returnAddress as Address, transfers: [], isProven: false } }),
    };
    const terms = agreedTerms(agreed, stopSecretHash);
    await inTransaction(this.app.get(Connection), (session) =>
      this.app.get(Outbox).record(jobActivated, { jobId, data: { terms, ...data } }, session),
    );
  }
}

function append<Value>(kept: Map<string, Value[]>, jobId: string, value: Value): void {
  kept.set(jobId, [...(kept.get(jobId) ?? []), value]);
}
