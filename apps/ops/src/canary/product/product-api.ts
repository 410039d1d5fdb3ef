import {
  type CreateJobResponse,
  ENDPOINTS,
  type Endpoint,
  errorBodySchema,
  IDEMPOTENCY_KEY_HEADER,
  type JobPaymentResponse,
  type JobStatusResponse,
  type StopJobResponse,
  type ValidateTokenResponse,
} from '@maker/contracts';
import { hypeForBody } from '@maker/rules';
import type { z } from 'zod';
import { Refusal } from '../steps.ts';

const TOO_MANY_REQUESTS = 429;

interface Call {
  readonly signal: AbortSignal;
  readonly jobId?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Client of the public API, used like a visitor's browser. Calls throw a Refusal for final errors, and an Error for temporary ones. */
export class ProductApi {
  private readonly apiUrl: string;
  private readonly apiKey: string;

  constructor(apiUrl: string, apiKey: string) {
    this.apiUrl = apiUrl;
    this.apiKey = apiKey;
  }

  validate(tokenAddress: string, signal: AbortSignal): Promise<ValidateTokenResponse> {
    return this.ask(ENDPOINTS.validateToken, { signal, body: { tokenAddress } });
  }

  /** @param key idempotency key: the same key returns the same job */
  create(tokenAddress: string, paymentWei: bigint, key: string, signal: AbortSignal): Promise<CreateJobResponse> {
    const body = { tokenAddress, paymentAmount: hypeForBody(paymentWei) };
    return this.ask(ENDPOINTS.createJob, { signal, body, headers: { [IDEMPOTENCY_KEY_HEADER]: key } });
  }

  payment(jobId: string, signal: AbortSignal): Promise<JobPaymentResponse> {
    return this.ask(ENDPOINTS.getJobPayment, { signal, jobId });
  }

  status(jobId: string, signal: AbortSignal): Promise<JobStatusResponse> {
    return this.ask(ENDPOINTS.getJobStatus, { signal, jobId });
  }

  stop(jobId: string, stopSecret: string, signal: AbortSignal): Promise<StopJobResponse> {
    return this.ask(ENDPOINTS.stopJob, { signal, jobId, body: { stopSecret } });
  }

  private async ask<Schema extends z.ZodType>(
    { method, path, success }: Endpoint & { readonly success: { readonly schema: Schema } },
    { signal, jobId = '', body, headers }: Call,
  ): Promise<z.output<Schema>> {
    const response = await fetch(`${this.apiUrl}${path.replace('{jobId}', jobId)}`, {
      method,
      headers: { 'x-api-key': this.apiKey, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    }).catch((error: Error) => {
      throw new Error(`the API does not answer: ${error.cause instanceof Error ? error.cause.message : error.message}`);
    });
    const answer: unknown = await response.json();
    if (response.ok) return success.schema.parse(answer);
    const { message } = errorBodySchema.safeParse(answer).data ?? { message: response.statusText };
    const sentence = `the API answers ${response.status}: ${message}`;
    const isFinal = response.status < 500 && response.status !== TOO_MANY_REQUESTS;
    throw isFinal ? new Refusal(sentence) : new Error(sentence);
  }
}
