import { BaseError, TimeoutError } from 'viem';
import { isAnswer, linksOf, meaningOf } from '../error-meaning.ts';
import { RPC_METHODS } from '../rpc-methods.ts';

/** How a request ended; a closed set, fit for a metric's label. `refused`: by a rule of the chain's or the node's, which is an answer. */
export type RequestOutcome = 'ok' | 'reverted' | 'refused' | 'rate_limited' | 'timeout' | 'error';

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

/** The endpoint does not take calls without a recipient: it refused one not long ago, and was not asked again. */
export class DeploylessCallsRefusedError extends BaseError {
  readonly code = 'NO_DEPLOYLESS_CALLS';

  constructor() {
    super('The RPC endpoint refuses calls without a recipient.', { name: 'DeploylessCallsRefusedError' });
  }
}

/** Whether a call runs code of its own instead of a contract's. */
export function isDeployless({ method, params }: RpcCall): boolean {
  const transaction: unknown = Array.isArray(params) ? params[0] : undefined;
  if (method !== 'eth_call' || typeof transaction !== 'object' || transaction === null) return false;
  return ((transaction as { readonly to?: unknown }).to ?? null) === null;
}

/** Whether the product has another way where an endpoint does not take such a call. */
function isOptional(call: RpcCall): boolean {
  return isDeployless(call) || RPC_METHODS.some(({ method, needed }) => method === call.method && !needed);
}

/** How a request that failed ended. What an endpoint lacks is its fault only where there is no other way. */
export function outcomeOf(error: unknown, call: RpcCall): Exclude<RequestOutcome, 'ok'> {
  if (causeOf(error, TimeoutError)) return 'timeout';
  const meaning = meaningOf(error);
  if (meaning === 'limited') return 'rate_limited';
  if (meaning === 'reverted') return 'reverted';
  return isAnswer(meaning) && (meaning !== 'unsupported' || isOptional(call)) ? 'refused' : 'error';
}

/** Methods whose answer is null where there is none. */
const MAY_BE_ABSENT: readonly string[] = [
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
];

/** Whether a node says by an error what others say by null. */
export function isAbsence(error: unknown, { method }: RpcCall): boolean {
  return MAY_BE_ABSENT.includes(method) && meaningOf(error) === 'not_there';
}

/** How long a rate limit asks for a rest, ms; undefined where it does not say. */
export function retryAfterOf(error: unknown): number | undefined {
  return causeOf(error, TooManyRequestsError)?.retryAfterMs;
}

/** An error of a class among an error and its causes. */
export function causeOf<Kind extends Error>(
  error: unknown,
  kind: abstract new (...parameters: never[]) => Kind,
): Kind | undefined {
  return linksOf(error).find((link): link is typeof link & Kind => link instanceof kind);
}
