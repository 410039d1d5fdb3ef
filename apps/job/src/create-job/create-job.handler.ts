import { hash } from 'node:crypto';
import { createJob } from '@maker/contracts';
import { assertBeforeDeadline, HandleRequest, RequestFailure } from '@maker/messaging';
import { SingleFlight } from '@maker/service-kit';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import type { Job } from '../job/job.ts';
import { type IdempotencyClaim, JobsRepository } from '../job/jobs.repository.ts';
import { JobMetrics } from '../job.metrics.ts';
import { widestNetwork } from '../network/networks.ts';
import { Bulkhead } from '../plan/bulkhead.ts';
import { PlansService } from '../plan/plans.service.ts';
import { passOn } from '../plan/refusals.ts';
import { RecipientsService } from '../recipient/recipients.service.ts';
import { creationAnswer } from '../views/job-views.ts';
import { AddressReuseCheckService } from './address-reuse-check.service.ts';
import { BeginJobsService, type BegunJob, earlierJob } from './begin-jobs.service.ts';
import { hashRequest, type JobRequest, jobUnderClaim, TooManyCreations } from './create-job.ts';
import { SeedProofService } from './seed-proof.service.ts';

type CreateJobCommand = z.output<typeof createJob.request>;

/** Most concurrent creations, with their requests to other services: 1 to 2 s of work. */
const MOST_IN_HAND = 64;

/** Answers `job.create`. Source: design § 4. */
@Controller()
export class CreateJobHandler {
  private readonly places = new Bulkhead(MOST_IN_HAND);
  /** Repetitions of one request share one read. */
  private readonly lookups = new SingleFlight<Job | undefined>();

  constructor(
    private readonly plans: PlansService,
    private readonly jobs: JobsRepository,
    private readonly addressReuse: AddressReuseCheckService,
    private readonly seedProof: SeedProofService,
    private readonly recipients: RecipientsService,
    private readonly beginning: BeginJobsService,
    private readonly metrics: JobMetrics,
  ) {}

  @HandleRequest(createJob)
  async create(command: CreateJobCommand): Promise<z.input<typeof createJob.reply>> {
    const request = readRequest(command);
    const claim = readClaim(command, request);
    const earlier = claim && (await this.lookUp(claim));
    const { job, stopSecret, isNew } = earlier
      ? earlierJob(earlier, { request, command })
      : await this.refusing(() =>
          this.places.hold(
            () => this.take(request, claim, command),
            () => new TooManyCreations(),
            widestNetwork(command.clientAddress),
          ),
        );
    return { ...creationAnswer(job, stopSecret), ...(!isNew && { replayed: true as const }) };
  }

  private async take(
    request: JobRequest,
    claim: IdempotencyClaim | undefined,
    command: CreateJobCommand,
  ): Promise<BegunJob> {
    assertBeforeDeadline();
    const { tokenAddress, returnAddress, returnAddressIsContract: isContract = false } = request;
    const network = widestNetwork(command.clientAddress);
    const offer = await this.plans.offer({ tokenAddress, returnAddress, network }, request.paymentAmountWei);
    if (returnAddress) await this.recipients.assertUsable({ returnAddress, tokenAddress, isContract });
    await this.addressReuse.assertNoReuse().catch(passOn);
    await this.seedProof.assertProven().catch(passOn);
    return this.beginning.begin({ request, claim, offer, command });
  }

  private async refusing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RequestFailure) this.metrics.jobRefused(error.code);
      throw error;
    }
  }

  private lookUp(claim: IdempotencyClaim): Promise<Job | undefined> {
    const find = async () => jobUnderClaim(claim, await this.jobs.findClaimed([claim]));
    return this.lookups.run(JSON.stringify(claim), find);
  }
}

function readRequest({ paymentAmountWei, ...command }: CreateJobCommand): JobRequest {
  const { tokenAddress, returnAddress, returnAddressIsContract, metadata, stopSecretHash } = command;
  const amountWei = BigInt(paymentAmountWei);
  return {
    tokenAddress,
    paymentAmountWei: amountWei,
    returnAddress,
    returnAddressIsContract,
    metadata,
    stopSecretHash,
  };
}

function readClaim(
  { apiKeyName, idempotencyKey }: CreateJobCommand,
  request: JobRequest,
): IdempotencyClaim | undefined {
  return idempotencyKey === undefined
    ? undefined
    : { apiKeyName, keyHash: hash('sha256', idempotencyKey), requestHash: hashRequest(request) };
}
