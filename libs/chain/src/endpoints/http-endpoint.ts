import { type IncomingMessage, request as requestOverHttp } from 'node:http';
import { request as requestOverHttps } from 'node:https';
import { createGunzip } from 'node:zlib';
import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem';
import { EmptyAnswerError, type RpcCall, TooManyRequestsError } from './request-outcome.ts';

/** Sends one JSON-RPC call over HTTP, once. */
export type HttpRequest = (call: RpcCall) => Promise<unknown>;

/** Longest readable answer, bytes. A big block full of zero calldata is 15 MB of JSON, and anyone can pay for one. */
const LONGEST_ANSWER = 67_108_864;

/** An endpoint's HTTP answer. */
interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly retryAfter: string | null;
  readonly text: string;
}

/**
 * Creates the calls to one URL. Errors name only the origin of the URL: a provider's URL often contains its key.
 * The time limit covers the whole answer: a body that never ends is no answer.
 * It replaces viem's transport, which creates an error object for each request in advance, and each request twice. Source: docs/adr/0115.
 * @param timeoutMs longest wait for an answer, ms
 */
export function httpEndpoint(url: string, timeoutMs: number): HttpRequest {
  const target = new URL(url);
  const { username, password, origin } = target;
  target.username = '';
  target.password = '';
  const headers: Record<string, string> = { 'content-type': 'application/json', 'accept-encoding': 'gzip' };
  if (username || password) {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  let lastId = 0;
  return async ({ method, params }) => {
    lastId += 1;
    const body = { jsonrpc: '2.0', id: lastId, method, params };
    const signal = AbortSignal.timeout(timeoutMs);
    let answer: HttpAnswer;
    try {
      answer = await post(target, headers, JSON.stringify(body), signal);
    } catch (error) {
      if (signal.aborted) throw new TimeoutError({ body, url: origin });
      if (error instanceof ResponseBodyTooLargeError) throw error;
      throw new HttpRequestError({ body, cause: error as Error, url: origin });
    }
    const { status, statusText, retryAfter, text } = answer;
    if (status === 429) throw new TooManyRequestsError(retryAfterMs(retryAfter));
    const { result, error } = parsed(text);
    if (typeof error?.code === 'number' && typeof error.message === 'string')
      throw new RpcRequestError({ body, error: error as RpcError, url: origin });
    if (status < 200 || status > 299) throw new HttpRequestError({ body, details: statusText, status, url: origin });
    if (result === undefined) throw new EmptyAnswerError(method);
    return result;
  };
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Parses an answer; returns an empty object where it is no JSON. */
function parsed(text: string): { readonly result?: unknown; readonly error?: Partial<RpcError> } {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}

function post(target: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<HttpAnswer> {
  const request = target.protocol === 'https:' ? requestOverHttps : requestOverHttp;
  return new Promise((resolve, reject) => {
    const sent = request(target, { method: 'POST', headers, signal }, (response) => {
      const { statusCode = 0, statusMessage = '', headers: answered } = response;
      const read = { status: statusCode, statusText: statusMessage, retryAfter: answered['retry-after'] ?? null };
      textOf(response).then((text) => resolve({ ...read, text }), reject);
    });
    sent.on('error', reject);
    sent.setHeader('content-length', Buffer.byteLength(body));
    sent.end(body);
  });
}

/** @throws ResponseBodyTooLargeError */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const unpacked = response.headers['content-encoding'] === 'gzip' ? response.compose(createGunzip()) : response;
  for await (const chunk of unpacked) {
    size += (chunk as Buffer).length;
    if (size > LONGEST_ANSWER) {
      response.destroy();
      throw new ResponseBodyTooLargeError({ maxSize: LONGEST_ANSWER, size });
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** Parses a `Retry-After` header: seconds, or a date. @returns ms */
export function retryAfterMs(header: string | null, nowMs = Date.now()): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
