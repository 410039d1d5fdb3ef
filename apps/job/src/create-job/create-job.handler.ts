import { randomBytes } from 'node:crypto';
import { type CreateJobResponse, createJob, jobCreated } from '@maker/contracts';
import { assertStillWanted, HandleRequest, Outbox, RequestFailedError, RequestFailure } from '@maker/messaging';
import { inTransaction, isDuplicateKey, MONGO_CONNECTION } from '@maker/persistence';
import { Clock, LOGGER } from '@maker/service-kit';
import { deriveAddress } from '@maker/signing/derivation';
import { Controller, Inject } from '@nestjs/common';
import type { ClientSession, Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { AuditRepository } from '../audit/audit.repository.ts';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';
import type { Job } from '../job/job.ts';
import { type IdempotencyClaim, JobsRepository } from '../job/jobs.repository.ts';
import { hashStopSecret, newStopSecret } from '../job/stop-secret.ts';
import { JobMetrics } from '../job.metrics.ts';
import { MarketsRepository } from '../plan/markets.repository.ts';
import { type OfferedPlan, PlansService } from '../plan/plans.service.ts';
import { createdView } from '../views/job-views.ts';
import { AddressReuseCheckService } from './address-reuse-check.service.ts';
import {
  assertFewUnpaid,
  hashRequest,
  IdempotencyKeyReused,
  type JobRequest,
  newJob,
  paymentDeadline,
  ReturnAddressIsWallet,
  TooManyCreations,
} from './create-job.ts';
import { Places } from './places.ts';
import { SerialQueue } from './serial-queue.ts';

type CreateJobCommand = z.output<typeof createJob.request>;

/** A job, and its secret where it is new. */
interface BegunJob {
  readonly job: Job;
  readonly stopSecret?: string;
}

/** Creations in hand at once, the questions to others included: a second or two of work. */
const MOST_IN_HAND = 64;

/** Answers `job.create`. Source: design § 4. */
@Controller()
export class CreateJobHandler {
  /** Every creation writes the address counter: at the same time they would only undo each other. */
  private readonly creations = new SerialQueue();
  private readonly places = new Places(MOST_IN_HAND);

  constructor(
    @Inject(JOB_CONFIGURATION) private readonly configuration: JobConfiguration,
    @Inject(MONGO_CONNECTION) private readonly connection: Connection,
    private readonly plans: PlansService,
    private readonly markets: MarketsRepository,
    private readonly jobs: JobsRepository,
    private readonly audit: AuditRepository,
    private readonly addressReuse: AddressReuseCheckService,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly metrics: JobMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @HandleRequest(createJob)
  async create(command: CreateJobCommand): Promise<CreateJobResponse> {
    const request = readRequest(command);
    const claim = readClaim(command, request);
    const earlier = await this.claimed(claim);
    if (earlier) return this.answerAgain(earlier);
    const begun = await this.refusing(() =>
      this.places.hold(
        () => this.take(request, claim, command),
        () => new TooManyCreations(),
      ),
    );
    return begun.stopSecret === undefined
      ? this.answerAgain(begun.job)
      : { ...createdView(begun.job), stopSecret: begun.stopSecret };
  }

  private async take(
    request: JobRequest,
    claim: IdempotencyClaim | undefined,
    command: CreateJobCommand,
  ): Promise<BegunJob> {
    assertStillWanted();
    const offer = await this.plans.offer(request.tokenAddress, request.paymentAmountWei);
    await this.addressReuse.assertNoReuse().catch(passOn);
    return this.creations.run(() => this.beginOnce(request, claim, offer, command));
  }

  /** Counts what is refused. */
  private async refusing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RequestFailure) this.metrics.jobRefused(error.code);
      throw error;
    }
  }

  /** A client may never have seen the first answer, of whose secret only the hash is known: it gets one of its own. */
  private async answerAgain(job: Job): Promise<CreateJobResponse> {
    const stopSecret = newStopSecret();
    const isOpen = await this.jobs.addStopSecret(job.jobId, hashStopSecret(stopSecret));
    return { ...createdView(job), ...(isOpen && { stopSecret }) };
  }

  /** The job, or the one of a twin of this request that claimed its key first. */
  private async beginOnce(
    request: JobRequest,
    claim: IdempotencyClaim | undefined,
    offer: OfferedPlan,
    command: CreateJobCommand,
  ): Promise<BegunJob> {
    assertStillWanted();
    const earlier = await this.claimed(claim);
    if (earlier) return { job: earlier };
    const stopSecret = newStopSecret();
    try {
      const job = await inTransaction(this.connection, (session) =>
        this.begin(request, claim, offer, { ...command, stopSecret }, session),
      );
      this.metrics.jobCreated();
      this.logger.info({ jobId: job.jobId, walletIndex: job.walletIndex }, 'a job is created');
      return { job, stopSecret };
    } catch (error) {
      // A twin at another replica.
      const twin = isDuplicateKey(error) ? await this.claimed(claim) : undefined;
      if (!twin) throw error;
      return { job: twin };
    }
  }

  /** The job made under a claim before. @throws IdempotencyKeyReused when something else was asked for then */
  private async claimed(claim: IdempotencyClaim | undefined): Promise<Job | undefined> {
    if (!claim) return undefined;
    const earlier = await this.jobs.findClaimed(claim.apiKeyName, claim.key);
    if (earlier && earlier.requestHash !== claim.requestHash) throw new IdempotencyKeyReused();
    return earlier?.job;
  }

  private async begin(
    request: JobRequest,
    claim: IdempotencyClaim | undefined,
    offer: OfferedPlan,
    { apiKeyName, clientAddress, stopSecret }: CreateJobCommand & { readonly stopSecret: string },
    session: ClientSession,
  ): Promise<Job> {
    const nowMs = this.clock.now();
    const deadlineMs = paymentDeadline(nowMs, offer.chainTimeMs, this.configuration.JOB_PAYMENT_TIMEOUT_SECONDS * 1000);
    await this.assertFewUnpaid(clientAddress, session);
    await this.assertNoWallet(request, session);
    const index = await this.jobs.takeWalletIndex(session);
    const address = deriveAddress(this.configuration.JOB_ACCOUNT_XPUB, index);
    const jobId = `job_${randomBytes(16).toString('hex')}`;
    const job = newJob(request, { index, address }, { nowMs, deadlineMs }, jobId, offer.plan);
    const stopSecretHash = hashStopSecret(stopSecret);
    await this.jobs.insert(job, claim, { stopSecretHash, clientAddress }, session);
    await this.markets.insert(jobId, offer.market, session);
    await this.audit.append({ jobId, action: 'job.created', to: job.status, cause: `api key ${apiKeyName}` }, session);
    const { paymentAddress, paymentAmountWei, paymentDeadline: deadline } = createdView(job);
    const data = { tokenAddress: job.tokenAddress, paymentAddress, paymentAmountWei, paymentDeadline: deadline };
    await this.outbox.record(jobCreated, { jobId, data }, session);
    return job;
  }

  /** @throws ReturnAddressIsWallet */
  private async assertNoWallet({ returnAddress }: JobRequest, session: ClientSession): Promise<void> {
    if (returnAddress === undefined) return;
    const wallets = await this.jobs.walletsAmong([returnAddress], session);
    if (wallets.size > 0) throw new ReturnAddressIsWallet();
  }

  /** Of two creations at once one is undone, since both take a wallet index, so that neither is counted out. */
  private async assertFewUnpaid(clientAddress: string | undefined, session: ClientSession): Promise<void> {
    const { JOB_MOST_UNPAID_JOBS: inAll, JOB_MOST_UNPAID_JOBS_PER_CLIENT: ofClient } = this.configuration;
    const now = {
      ofClient: clientAddress === undefined ? 0 : await this.jobs.countUnpaid(ofClient, session, clientAddress),
      inAll: await this.jobs.countUnpaid(inAll, session),
    };
    assertFewUnpaid(now, { ofClient, inAll });
  }
}

/** What another service refused is refused in the same words. */
function passOn(error: unknown): never {
  if (error instanceof RequestFailedError) throw new RequestFailure(error.code, error.message);
  throw error;
}

function readRequest({ tokenAddress, paymentAmountWei, returnAddress }: CreateJobCommand): JobRequest {
  return {
    tokenAddress,
    paymentAmountWei: BigInt(paymentAmountWei),
    ...(returnAddress === undefined ? {} : { returnAddress }),
  };
}

function readClaim(
  { apiKeyName, idempotencyKey }: CreateJobCommand,
  request: JobRequest,
): IdempotencyClaim | undefined {
  return idempotencyKey === undefined
    ? undefined
    : { apiKeyName, key: idempotencyKey, requestHash: hashRequest(request) };
}
