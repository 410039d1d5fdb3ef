import { type IncomingMessage, request as requestOverHttp } from 'node:http';
import { request as requestOverHttps } from 'node:https';
import { createGunzip } from 'node:zlib';
import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem';
import { isObject } from '../answers/wire-values.ts';
import { rpcMethod } from '../rpc-methods.ts';
import { MalformedAnswerError, type RpcCall, TooManyRequestsError } from './request-outcome.ts';

/** Sends one JSON-RPC call over HTTP, once. */
export type HttpRequest = (call: RpcCall) => Promise<unknown>;

/** Longer answers are searched for too many objects before they are parsed, bytes. */
const LONG_ANSWER = 1_048_576;

/** Most objects and lists of an answer: a block full of logs has half as many, and 64 MB of them fill 2 GB of memory. */
const MOST_OBJECTS = 400_000;

/** Longest message of an error, characters: it is searched for words and logged. */
const LONGEST_MESSAGE = 4096;

/** An endpoint's HTTP answer. */
interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly retryAfter: string | null;
  readonly body: Buffer;
}

/**
 * Creates the calls to one URL. Each result fits the schema of its method and its request, or the call fails: see `RPC_METHODS`. Errors name only the origin of the URL: a provider's URL often contains its key.
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
  return async ({ method, params = [] }) => {
    const { mostBytes, wrongIn } = rpcMethod(method);
    lastId += 1;
    const body = { jsonrpc: '2.0', id: lastId, method, params };
    const signal = AbortSignal.timeout(timeoutMs);
    let answer: HttpAnswer;
    try {
      answer = await post(target, { headers, body: JSON.stringify(body), signal, mostBytes });
    } catch (error) {
      if (signal.aborted) throw new TimeoutError({ body, url: origin });
      if (error instanceof ResponseBodyTooLargeError) throw error;
      throw new HttpRequestError({ body, cause: error as Error, url: origin });
    }
    const { status, statusText, retryAfter } = answer;
    if (status === 429) throw new TooManyRequestsError(retryAfterMs(retryAfter));
    const reply = parsed(answer.body);
    const error = errorIn(reply, body.id);
    if (error) throw new RpcRequestError({ body, error, url: origin });
    if (status < 200 || status > 299) throw new HttpRequestError({ body, details: statusText, status, url: origin });
    const wrong = wrongInReply(reply, body.id) ?? wrongIn((reply as Reply).result, params);
    if (wrong) throw new MalformedAnswerError(method, wrong);
    return (reply as Reply).result;
  };
}

/** A JSON object in place of a JSON-RPC answer; nothing about its fields is known. */
interface Reply {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Parses an answer; returns undefined where it is no JSON object, or has too many parts. */
function parsed(body: Buffer): Reply | undefined {
  if (body.length > LONG_ANSWER && hasTooManyObjects(body)) return undefined;
  try {
    const reply: unknown = JSON.parse(body.toString());
    return isObject(reply) ? reply : undefined;
  } catch {
    return undefined;
  }
}

function hasTooManyObjects(body: Buffer): boolean {
  let count = 0;
  for (const opening of ['{', '[']) {
    for (let at = body.indexOf(opening); at >= 0; at = body.indexOf(opening, at + 1)) {
      count += 1;
      if (count > MOST_OBJECTS) return true;
    }
  }
  return false;
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The node's error, if it is well-formed. A node that could not read the request answers without its id. */
function errorIn(reply: Reply | undefined, id: number): RpcError | undefined {
  const { error, result } = reply ?? {};
  if (!reply || !isObject(error) || (reply.id ?? id) !== id || (result ?? null) !== null) return undefined;
  const { code, message, data } = error;
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof message !== 'string') return undefined;
  return { code, message: message.slice(0, LONGEST_MESSAGE), ...(data !== undefined && { data }) };
}

/** @returns the wrong part of an answer without a well-formed error; undefined if it has a result */
function wrongInReply(reply: Reply | undefined, id: number): string | undefined {
  if (!reply) return 'JSON object';
  if ((reply.error ?? null) !== null) return 'error';
  if (reply.id !== id) return 'id';
  return reply.result === undefined ? 'result, which is missing' : undefined;
}

interface Sent {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Longest readable answer, bytes. */
  readonly mostBytes: number;
}

function post(target: URL, { headers, body, signal, mostBytes }: Sent): Promise<HttpAnswer> {
  const request = target.protocol === 'https:' ? requestOverHttps : requestOverHttp;
  return new Promise((resolve, reject) => {
    const sent = request(target, { method: 'POST', headers, signal }, (response) => {
      const { statusCode = 0, statusMessage = '', headers: answered } = response;
      const read = { status: statusCode, statusText: statusMessage, retryAfter: answered['retry-after'] ?? null };
      bodyOf(response, mostBytes).then((answer) => resolve({ ...read, body: answer }), reject);
    });
    sent.on('error', reject);
    sent.setHeader('content-length', Buffer.byteLength(body));
    sent.end(body);
  });
}

/** @throws ResponseBodyTooLargeError */
async function bodyOf(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const unpacked = response.headers['content-encoding'] === 'gzip' ? response.compose(createGunzip()) : response;
  for await (const chunk of unpacked) {
    size += (chunk as Buffer).length;
    if (size > mostBytes) {
      response.destroy();
      throw new ResponseBodyTooLargeError({ maxSize: mostBytes, size });
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Parses a `Retry-After` header: seconds, or a date. @returns ms */
export function retryAfterMs(header: string | null, nowMs = Date.now()): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
