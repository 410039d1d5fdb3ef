import { BaseError, HttpRequestError, TimeoutError } from 'viem';

/** How a request ended; a closed set, fit for a metric's label. */
export type RequestOutcome = 'ok' | 'reverted' | 'rate_limited' | 'timeout' | 'error';

/** One JSON-RPC call. */
export interface RpcCall {
  readonly method: string;
  readonly params?: unknown;
}

/** The endpoint answered with status 429. */
export class TooManyRequestsError extends BaseError {
  readonly code = 'TOO_MANY_REQUESTS';
  /** What `Retry-After` asked for, ms; undefined where it said nothing. */
  readonly retryAfterMs: number | undefined;

  constructor(retryAfterMs: number | undefined) {
    super('The RPC endpoint answered 429: too many requests.', { name: 'TooManyRequestsError' });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The answer has neither a result nor an error. */
export class EmptyAnswerError extends BaseError {
  readonly code = 'EMPTY_ANSWER';

  constructor(method: string) {
    super(`The RPC endpoint answered ${method} with neither a result nor an error.`, { name: 'EmptyAnswerError' });
  }
}

const REVERT_CODE = 3;
/** "Limit exceeded" (EIP-1474), and what providers say in its place in an answer of status 200. */
const LIMIT_CODES: readonly unknown[] = [-32005, -32007, 429];
/** Internal error, resource unavailable, parse error: the node's own trouble, not the request's. */
const NODE_TROUBLE_CODES: readonly unknown[] = [-32603, -32002, -32700];
const BLAMELESS_STATUSES: readonly unknown[] = [400, 413, 422];

/** How a request that failed ended. */
export function outcomeOf(error: unknown): Exclude<RequestOutcome, 'ok'> {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  if (causeOf(error, TimeoutError)) return 'timeout';
  if (causeOf(error, TooManyRequestsError) || LIMIT_CODES.includes(code)) return 'rate_limited';
  if (code === REVERT_CODE || /execution reverted/i.test(message)) return 'reverted';
  return 'error';
}

/** How long a rate limit asks for a rest, ms; undefined where it does not say. */
export function retryAfterOf(error: unknown): number | undefined {
  return causeOf(error, TooManyRequestsError)?.retryAfterMs;
}

/** Whether a failure speaks against the endpoint: no answer, or none that can be used. A refusal is an answer. */
export function isEndpointFault(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (error instanceof HttpRequestError) return !BLAMELESS_STATUSES.includes(error.status);
  return typeof code !== 'number' || NODE_TROUBLE_CODES.includes(code);
}

/** Whether a node says that it has the broadcast bytes already, which is success. */
export function isAlreadyKnown(error: unknown): boolean {
  return (
    error instanceof Error && /already (known|imported|exists|in the (mem)?pool)|known transaction/i.test(error.message)
  );
}

/** An error of a class among an error and its causes. */
export function causeOf<Kind extends Error>(
  error: unknown,
  kind: abstract new (...parameters: never[]) => Kind,
): Kind | undefined {
  for (let link = error, depth = 0; link instanceof Error && depth < 10; link = link.cause, depth += 1) {
    if (link instanceof kind) return link;
  }
  return undefined;
}
