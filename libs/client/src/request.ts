import { MakerError } from './maker-error.ts';

/** Address and key of the API. */
export interface ClientOptions {
  /** Address of the API, such as `https://api.example.com`. */
  readonly apiUrl: string;
  /** API key, which the operator gives you. */
  readonly apiKey: string;
  /** Longest wait for one answer, ms. @default 20000 */
  readonly timeoutMs?: number;
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch;
}

export interface ApiRequest {
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 20_000;

/** Sends a request. @throws MakerError, or the reason of your own signal */
export async function request<Answer>(options: ClientOptions, call: ApiRequest): Promise<Answer> {
  const { apiUrl, apiKey, timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch } = options;
  const { path, body, headers, signal } = call;
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${apiUrl.replace(/\/+$/, '')}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }), ...headers },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body && { body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new MakerError('UNREACHABLE', `The API did not answer: ${String(cause)}`, { cause });
  }
  const answer = parse(text);
  if (response.ok && answer !== undefined) return answer as Answer;
  throw errorOf(response, answer);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorOf({ status, headers }: Response, answer: unknown): MakerError {
  const { code, message, requestId } = (answer ?? {}) as Partial<Record<string, string>>;
  const facts = { status, requestId, retryAfterMs: retryAfterMs(headers) };
  return typeof code === 'string'
    ? new MakerError(code, message ?? code, facts)
    : new MakerError('UNREADABLE_ANSWER', `The answer with status ${status} is not from the API`, facts);
}

function retryAfterMs(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? seconds * 1000 : undefined;
}
