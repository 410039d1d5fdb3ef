import type { EndpointPath } from '@maker/contracts';
import { type ApiError, type ApiResult, NETWORK_ERROR } from './api-result.ts';
import { createRequestId } from './request-id.ts';
import { ServerClock } from './server-clock.ts';
import { isStatsAnswer, type StatsAnswer } from './stats-answer.ts';

/** Address and key of the API. */
export interface ApiClientOptions {
  /** With or without a trailing slash. */
  readonly baseUrl: string;
  /** Sent with every request as `X-API-Key`. */
  readonly apiKey: string;
  /** Replaced in tests. */
  readonly fetch?: typeof fetch;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call; the result is then a network error. */
  readonly signal?: AbortSignal;
}

/** A request to an endpoint of the contracts. */
type Asked = CallOptions & {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
} & (
    | { readonly method: 'GET'; readonly path: EndpointPath<'GET'> }
    | { readonly method: 'POST'; readonly path: EndpointPath<'POST'> }
  );

/** A request with the check that its answer has the fields that the page needs. */
type Call<Data> = Asked & { readonly check: (body: unknown) => body is Data };

/** Time limit of an answer, ms. */
const TIMEOUT_MS = 20_000;

/** The browser's client of the API gateway, with the calls of specification § 7. The other files have calls of one step. */
export class ApiClient {
  private readonly baseUrl: string;
  private readonly apiKey: string;
  private readonly fetch: typeof fetch;
  /** The server's time, for deadlines. */
  readonly clock = new ServerClock();

  constructor({ baseUrl, apiKey, fetch: fetchOption }: ApiClientOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.apiKey = apiKey;
    this.fetch = fetchOption ?? ((...request) => fetch(...request));
  }

  /** Opens a stream of server-sent events. The signal ends it. */
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

  /** Sends a request and checks its answer; never throws. */
  call<Data>({ check, ...request }: Call<Data>): Promise<ApiResult<Data>> {
    return this.ask(request, (text, statusCode) => {
      const answer = parseJson(text);
      if (check(answer)) return { ok: true, data: answer };
      // Each step has its own sentence for a failure without a message. Source: specification § 8.
      return { ok: false, error: { error: 'Unexpected answer', message: '', statusCode } };
    });
  }

  /** Sends a request; never throws. @param read parses the text of a success */
  async ask<Data>(
    request: Asked,
    read: (text: string, statusCode: number) => ApiResult<Data>,
  ): Promise<ApiResult<Data>> {
    let response: Response;
    let text: string;
    try {
      response = await this.send(request);
      text = await response.text();
    } catch {
      return { ok: false, error: NETWORK_ERROR };
    }
    return response.ok ? read(text, response.status) : { ok: false, error: readError(response, parseJson(text)) };
  }

  private send({ method, path, body, headers, signal }: Asked): Promise<Response> {
    return this.fetchTimed(path, {
      method,
      headers: { ...this.headers(), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'omit',
      signal: withinTimeLimit(signal),
    });
  }

  private async fetchTimed(path: string, init: RequestInit): Promise<Response> {
    const sentAt = performance.now();
    const response = await this.fetch(`${this.baseUrl}${path}`, init);
    // An edge cache may answer the other paths with an old `Date` header (docs/adr/0038).
    if (path.startsWith('/jobs/')) this.clock.learn(response.headers.get('date'), performance.now() - sentAt);
    return response;
  }

  private headers(): Readonly<Record<string, string>> {
    return { 'Content-Type': 'application/json', 'X-API-Key': this.apiKey, 'X-Request-Id': createRequestId() };
  }
}

/** Aborts with the given signal or at the time limit. Not by `AbortSignal.any`, which the oldest named browsers lack. */
function withinTimeLimit(signal: AbortSignal | undefined): AbortSignal {
  const either = new AbortController();
  for (const one of [signal, AbortSignal.timeout(TIMEOUT_MS)]) {
    if (one?.aborted) either.abort();
    one?.addEventListener('abort', () => either.abort());
  }
  return either.signal;
}

/** Path of a job's calls. */
export function jobPath(jobId: string): `/jobs/${string}` {
  return `/jobs/${encodeURIComponent(jobId)}`;
}

/** The parsed JSON, or undefined for an invalid text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Builds the error of a failed answer from the fields it has: the server's message is enough. */
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
