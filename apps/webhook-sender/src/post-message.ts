import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Attempt, Outcome } from './delivery/attempt.ts';
import { guardedLookup, isPublicAddress, PrivateAddressError, type Resolve, resolveByName } from './public-address.ts';

/** Stored part of an answer, bytes: enough to see the receiver's error. */
const ANSWER_BYTES = 1024;

export interface PostOptions {
  /** Timeout of connection and answer together, ms. */
  readonly timeoutMs: number;
  /** Whether connections to an address are allowed; default: only public addresses. */
  readonly isAllowed?: (address: string) => boolean;
  readonly resolve?: Resolve;
}

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts a message once. Never rejects: the attempt contains the outcome. The status decides; only the beginning of the body
 * is read.
 */
export async function postMessage(post: Post, options: PostOptions): Promise<Attempt> {
  const began = performance.now();
  const tookMs = () => Math.round(performance.now() - began);
  try {
    const { response, answer } = await exchange(post, options);
    const status = response.statusCode ?? 0;
    const retryAfterMs = readRetryAfter(response.headers['retry-after']);
    return {
      outcome: outcomeOf(status),
      status,
      answer,
      tookMs: tookMs(),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  } catch (error) {
    return { outcome: faultOf(error), answer: reasonOf(error), tookMs: tookMs() };
  }
}

function exchange(
  { url, headers, body }: Post,
  { timeoutMs, isAllowed = isPublicAddress, resolve = resolveByName }: PostOptions,
): Promise<{ response: IncomingMessage; answer: string }> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // Node connects to an address in the URL without a lookup.
  if (isIP(host) !== 0 && !isAllowed(host)) return Promise.reject(new PrivateAddressError(host));
  return new Promise((done, failed) => {
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: guardedLookup(resolve, isAllowed),
        signal: AbortSignal.timeout(timeoutMs),
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        readBeginning(response).then((answer) => {
          response.destroy();
          done({ response, answer });
        });
      },
    );
    request.on('error', failed);
    request.end(body);
  });
}

async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= ANSWER_BYTES) break;
    }
  } catch (error) {
    // The status is already known, so the body may break off.
    chunks.push(Buffer.from(` (the answer broke off: ${reasonOf(error)})`));
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString();
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'delivered';
  if (status >= 300 && status < 400) return 'redirected';
  if (status === 410) return 'gone';
  return status === 429 ? 'throttled' : 'refused';
}

/** OpenSSL's and Node's error codes of certificates. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

function faultOf(error: unknown): Outcome {
  if (error instanceof PrivateAddressError) return 'private_address';
  const { name, code = '' } = error as { name?: string; code?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return 'timeout';
  return CERTIFICATE.test(String(code)) ? 'certificate' : 'unreachable';
}

function reasonOf(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer in time';
  return (message || String(code)).slice(0, ANSWER_BYTES);
}

/** Parses seconds or an HTTP date. @returns ms */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
