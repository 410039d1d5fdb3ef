import { randomUUID } from 'node:crypto';
import {
  type ChangeReturnAddressRequest,
  type ChangeReturnAddressResponse,
  type CreateJobResponse,
  changeReturnAddress,
  createJob,
  type createJobRequestSchema,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENT_REPLAYED_HEADER,
  type JobStatusResponse,
  type JobsQuery,
  type JobsResponse,
  recordOperatorAction,
  type StartJobRequest,
  type StartJobResponse,
  type StopJobRequest,
  type StopJobResponse,
  searchJobs,
  startJob,
  stopJob,
} from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Controller, Headers, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ApiKeys } from '../access/api-keys.ts';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { ApiError } from '../errors/api-error.ts';
import { UnknownTokens } from '../rate-limit/unknown-tokens.ts';
import { BodyOf, QueryOf, Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';
import { agreementProblem } from './agreement-problem.ts';
import { createJobCommand } from './create-job.ts';

/** Endpoints of jobs for payers. Source: specification § 7; idempotency: docs/adr/0004. */
@Controller()
export class JobsController {
  constructor(
    private readonly requests: RequestClient,
    private readonly keys: ApiKeys,
    private readonly tokens: UnknownTokens,
    private readonly snapshot: StatusSnapshot,
    @Inject(GATEWAY_CONFIGURATION) private readonly configuration: GatewayConfiguration,
    private readonly logger: Logger,
  ) {}

  @Serves('createJob')
  async create(
    @BodyOf('createJob') body: z.output<typeof createJobRequestSchema>,
    @Headers(IDEMPOTENCY_KEY_HEADER) idempotencyKey: string | undefined,
    @CallerParam() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreateJobResponse> {
    if (idempotencyKey !== undefined && this.keys.ownerOf(idempotencyKey)) {
      throw new ApiError('INVALID_REQUEST', 'idempotency-key: is an API key, and would be stored; use a UUID');
    }
    const command = createJobCommand(body, idempotencyKey, caller);
    await this.tokens.admit(caller, body.tokenAddress);
    const { replayed, ...created } = await this.requests.request(createJob, command);
    this.assertAgreed(command, created);
    this.tokens.remember(body.tokenAddress);
    if (replayed) void reply.header(IDEMPOTENT_REPLAYED_HEADER, 'true');
    return created;
  }

  /** Shows no address that the job service has not signed for this request. @throws ApiError `AGREEMENT_INVALID` */
  private assertAgreed(command: z.input<typeof createJob.request>, created: CreateJobResponse): void {
    const problem = agreementProblem(command, created, this.configuration.JOB_AGREEMENT_SIGNERS);
    if (problem === undefined) return;
    const { jobId, paymentAddress } = created;
    this.logger.error(
      { jobId, paymentAddress, problem },
      'answer to a creation refused, the job service did not agree to it',
    );
    throw new ApiError(
      'AGREEMENT_INVALID',
      'The payment address could not be confirmed: send no money, and try again later',
    );
  }

  /** Lists the jobs of a server's key, or all for an operator's key. The audit log records an operator's query. Source: docs/adr/0172. */
  @Serves('listJobs')
  async list(
    @QueryOf('listJobs') query: JobsQuery,
    @CallerParam() { apiKeyName, isPublic, isOperator }: Caller,
  ): Promise<JobsResponse> {
    if (isPublic) {
      throw new ApiError(
        'FORBIDDEN',
        "A public API key lists no jobs, because anyone may know it: use a key with the scope 'server'",
      );
    }
    if (isOperator) {
      const looked = { actionId: randomUUID(), kind: 'looked_up', action: 'list', operator: apiKeyName } as const;
      await this.requests.request(recordOperatorAction, looked);
    }
    return this.requests.request(searchJobs, { ...query, apiKeyName: isOperator ? null : apiKeyName });
  }

  @Serves('getJobStatus')
  status(@JobIdParam() jobId: string): Promise<JobStatusResponse> {
    return this.snapshot.status(jobId);
  }

  /** Ends the job for a caller with the stop secret. */
  @Serves('stopJob')
  stop(@JobIdParam() jobId: string, @BodyOf('stopJob') { stopSecret }: StopJobRequest): Promise<StopJobResponse> {
    return this.requests.request(stopJob, { jobId, stopSecret });
  }

  /** Starts the job with the money that has arrived, for a caller with the stop secret. */
  @Serves('startJob')
  start(@JobIdParam() jobId: string, @BodyOf('startJob') { stopSecret }: StartJobRequest): Promise<StartJobResponse> {
    return this.requests.request(startJob, { jobId, stopSecret });
  }

  /** Sets the return address until the job is active, or proposes one while the payer is unknown. */
  @Serves('changeReturnAddress')
  changeReturnAddress(
    @JobIdParam() jobId: string,
    @BodyOf('changeReturnAddress') body: ChangeReturnAddressRequest,
  ): Promise<ChangeReturnAddressResponse> {
    return this.requests.request(changeReturnAddress, { ...body, jobId });
  }
}
