import type { CreateJobRequest, EndpointPath, HealthResponse } from '@maker/contracts';
import {
  isCreatedJobAnswer,
  isHealthResponse,
  isPaymentAnswer,
  isStatsAnswer,
  isValidationAnswer,
} from './answer-checks.ts';
import type { CreatedJobAnswer, PaymentAnswer, StatsAnswer, ValidationAnswer } from './answers.ts';
import { type ApiError, type ApiResult, NETWORK_ERROR } from './api-result.ts';
import { createRequestId } from './request-id.ts';
import { ServerClock } from './server-clock.ts';

/** How to reach the API. */
export interface ApiClientOptions {
  /** Without or with a trailing slash. */
  readonly baseUrl: string;
  /** Sent with every request as `X-API-Key`. */
  readonly apiKey: string;
  /** Replaced in tests. */
  readonly fetch?: typeof fetch;
  /** How long an answer may take, ms. */
  readonly timeoutMs?: number;
}

/** What a caller may add to any call. */
export interface CallOptions {
  /** Gives the call up; the result is then a network error. */
  readonly signal?: AbortSignal;
}

/** Options of `createJob`. */
export interface CreateJobOptions extends CallOptions {
  /** One per form submission: a repeated call with it answers with the first job. Source: design § 4 'Address'. */
  readonly idempotencyKey: string;
}

/** Whether an answer has the shape that the page needs. */
export type Check<Data> = (body: unknown) => body is Data;

/** A request of an endpoint that the contracts have. */
type Asked = CallOptions & {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
} & (
    | { readonly method: 'GET'; readonly path: EndpointPath<'GET'> }
    | { readonly method: 'POST'; readonly path: EndpointPath<'POST'> }
  );

/** One call. */
export type Call<Data> = Asked & { readonly check: Check<Data> };

const DEFAULT_TIMEOUT_MS = 20_000;

/** The receipt as a table, and as the job's wallet signed it. */
export type ReceiptFileName = 'receipt.csv' | 'receipt.json';

/** The browser's way to the API gateway, with the calls of specification § 7; payment-calls.ts and plan-call.ts have those of one step alone. */
export class ApiClient {
  private readonly baseUrl: string;
  private readonly apiKey: string;
  private readonly fetch: typeof fetch;
  private readonly timeoutMs: number;
  /** Deadlines go by the server's time. */
  readonly clock = new ServerClock();

  constructor({ baseUrl, apiKey, fetch: fetchOption, timeoutMs = DEFAULT_TIMEOUT_MS }: ApiClientOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.apiKey = apiKey;
    this.fetch = fetchOption ?? ((...request) => fetch(...request));
    this.timeoutMs = timeoutMs;
  }

  /** `POST /validate-token`. A token that cannot be boosted is a success with `isValid: false`. */
  validateToken(tokenAddress: string, options: CallOptions = {}): Promise<ApiResult<ValidationAnswer>> {
    return this.call({
      ...options,
      method: 'POST',
      path: '/validate-token',
      body: { tokenAddress },
      check: isValidationAnswer,
    });
  }

  /** `POST /jobs/create`. */
  createJob(request: CreateJobRequest, options: CreateJobOptions): Promise<ApiResult<CreatedJobAnswer>> {
    const { idempotencyKey, ...call } = options;
    return this.call({
      ...call,
      method: 'POST',
      path: '/jobs/create',
      body: request,
      headers: { 'Idempotency-Key': idempotencyKey },
      check: isCreatedJobAnswer,
    });
  }

  /** `GET /jobs/{jobId}/payment`: polled by the payment step. */
  getJobPayment(jobId: string, options: CallOptions = {}): Promise<ApiResult<PaymentAnswer>> {
    return this.call({
      ...options,
      method: 'GET',
      path: `${jobPath(jobId)}/payment`,
      check: isPaymentAnswer,
    });
  }

  /** `GET /jobs/{jobId}/receipt.csv` or `receipt.json`: the whole receipt as text. */
  async getReceiptFile(jobId: string, name: ReceiptFileName, options: CallOptions = {}): Promise<ApiResult<string>> {
    try {
      const response = await this.send({ ...options, method: 'GET', path: `${jobPath(jobId)}/${name}` });
      const text = await response.text();
      return response.ok ? { ok: true, data: text } : { ok: false, error: readError(response, parseJson(text)) };
    } catch {
      return { ok: false, error: NETWORK_ERROR };
    }
  }

  /** Opens a stream of server-sent events, for as long as the signal lets it. */
  stream(path: EndpointPath<'GET'>, signal: AbortSignal): Promise<Response> {
    return this.fetchTimed(path, {
      headers: { ...this.headers(), Accept: 'text/event-stream' },
      credentials: 'omit',
      signal,
    });
  }

  /** `GET /stats`: polled by the landing. */
  getStats(options: CallOptions = {}): Promise<ApiResult<StatsAnswer>> {
    return this.call({ ...options, method: 'GET', path: '/stats', check: isStatsAnswer });
  }

  /** `GET /healthz`. */
  getHealth(options: CallOptions = {}): Promise<ApiResult<HealthResponse>> {
    return this.call({ ...options, method: 'GET', path: '/healthz', check: isHealthResponse });
  }

  /** Makes a call and judges its answer; never throws. */
  async call<Data>({ check, ...request }: Call<Data>): Promise<ApiResult<Data>> {
    let response: Response;
    let text: string;
    try {
      response = await this.send(request);
      text = await response.text();
    } catch {
      return { ok: false, error: NETWORK_ERROR };
    }
    const answer = parseJson(text);
    if (!response.ok) return { ok: false, error: readError(response, answer) };
    if (check(answer)) return { ok: true, data: answer };
    return {
      ok: false,
      error: {
        error: 'Unexpected answer',
        // Each step says its own sentence for a failure without a message. Source: specification § 8.
        message: '',
        statusCode: response.status,
      },
    };
  }

  private send({ method, path, body, headers, signal }: Asked): Promise<Response> {
    const timeout = AbortSignal.timeout(this.timeoutMs);
    return this.fetchTimed(path, {
      method,
      headers: { ...this.headers(), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'omit',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  }

  private async fetchTimed(path: string, init: RequestInit): Promise<Response> {
    const sentAt = performance.now();
    const response = await this.fetch(`${this.baseUrl}${path}`, init);
    // An edge may keep other answers, and their date with them (docs/adr/0038).
    if (path.startsWith('/jobs/')) this.clock.learn(response.headers.get('date'), performance.now() - sentAt);
    return response;
  }

  private headers(): Readonly<Record<string, string>> {
    return { 'Content-Type': 'application/json', 'X-API-Key': this.apiKey, 'X-Request-Id': createRequestId() };
  }
}

/** Path of a job's calls. */
export function jobPath(jobId: string): `/jobs/${string}` {
  return `/jobs/${encodeURIComponent(jobId)}`;
}

/** The value of a JSON text, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What can be told of an error answer, however little it says: the server's message counts without anything beside it. */
function readError(response: Response, answer: unknown): ApiError {
  const body: Readonly<Record<string, unknown>> = typeof answer === 'object' && answer !== null ? { ...answer } : {};
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '');
  return {
    error: text('error') || response.statusText || 'Error',
    message: text('message'),
    statusCode: response.status,
    ...(text('code') && { code: text('code') }),
    ...(text('requestId') && { requestId: text('requestId') }),
  };
}
