import { type CreateJobRequest, type CreateJobResponse, createJob, IDEMPOTENCY_KEY_HEADER } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller, Headers } from '@nestjs/common';
import { ApiKeys } from '../access/api-keys.ts';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { ApiError } from '../errors/api-error.ts';
import { UnknownTokens } from '../rate-limit/unknown-tokens.ts';
import { BodyOf, Serves } from '../requests/serves.ts';
import { createJobCommand } from './create-job.ts';

/** `POST /jobs/create`. Source: specification § 7; idempotency: docs/adr/0004. */
@Controller()
export class CreateJobController {
  constructor(
    private readonly requests: RequestClient,
    private readonly keys: ApiKeys,
    private readonly tokens: UnknownTokens,
  ) {}

  @Serves('createJob')
  async create(
    @BodyOf('createJob') body: CreateJobRequest,
    @Headers(IDEMPOTENCY_KEY_HEADER) idempotencyKey: string | undefined,
    @CallerParam() caller: Caller,
  ): Promise<CreateJobResponse> {
    if (idempotencyKey !== undefined && this.keys.ownerOf(idempotencyKey)) {
      throw new ApiError('INVALID_REQUEST', 'idempotency-key: is an API key, and would be stored; use a UUID');
    }
    const command = createJobCommand(body, idempotencyKey, caller);
    await this.tokens.admit(caller, body.tokenAddress);
    const created = await this.requests.request(createJob, command);
    this.tokens.remember(body.tokenAddress);
    return created;
  }
}
