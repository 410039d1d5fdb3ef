import { BaseError, TimeoutError } from 'viem';
import { isTag } from '../answers/block-answer.ts';
import { isAnswer, linksOf, meaningOf } from '../error-meaning.ts';
import { type RpcMethodName, rpcMethod } from '../rpc-methods.ts';

/** Result of a request; a closed set, used as a metric's label. `refused`: by a rule of the chain or the node, which is an answer. */
export type RequestOutcome = 'ok' | 'reverted' | 'refused' | 'rate_limited' | 'timeout' | 'error';

/** One JSON-RPC call of a method whose answer is checked. */
export interface RpcCall {
  readonly method: RpcMethodName;
  readonly params?: readonly unknown[];
}

/** The endpoint answered with status 429. */
export class TooManyRequestsError extends BaseError {
  readonly code = 'TOO_MANY_REQUESTS';
  /** The wait in `Retry-After`, ms; undefined without that header. */
  readonly retryAfterMs: number | undefined;

  constructor(retryAfterMs: number | undefined) {
    super('The RPC endpoint answered 429: too many requests.', { name: 'TooManyRequestsError' });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The answer does not fit its method's schema, or its request: a failure of the endpoint. */
export class MalformedAnswerError extends BaseError {
  readonly code = 'MALFORMED_ANSWER';
  /** The part of the answer that is wrong. */
  readonly wrong: string;

  constructor(method: RpcMethodName, wrong: string) {
    super(`The RPC endpoint answered ${method} with a wrong ${wrong}.`, { name: 'MalformedAnswerError' });
    this.wrong = wrong;
  }
}

/** The endpoint refused a call without a recipient not long ago, so this one was not sent. */
export class DeploylessCallsRefusedError extends BaseError {
  readonly code = 'NO_DEPLOYLESS_CALLS';

  constructor() {
    super('The RPC endpoint refuses calls without a recipient.', { name: 'DeploylessCallsRefusedError' });
  }
}

/** Whether a call has no recipient and runs its own code. */
export function isDeployless({
  method,
  params,
}: {
  readonly method: string;
  readonly params?: readonly unknown[];
}): boolean {
  const transaction = params?.[0];
  if (method !== 'eth_call' || typeof transaction !== 'object' || transaction === null) return false;
  return ((transaction as { readonly to?: unknown }).to ?? null) === null;
}

/** Whether the product has another way where an endpoint refuses such a call. */
function isOptional(call: RpcCall): boolean {
  return isDeployless(call) || !rpcMethod(call.method).needed;
}

/** Classifies a failed request. A missing method counts as an error only where the product has no other way. */
export function outcomeOf(error: unknown, call: RpcCall): Exclude<RequestOutcome, 'ok'> {
  if (causeOf(error, TimeoutError)) return 'timeout';
  const meaning = meaningOf(error);
  if (meaning === 'limited') return 'rate_limited';
  if (meaning === 'reverted') return 'reverted';
  return isAnswer(meaning) && (meaning !== 'unsupported' || isOptional(call)) ? 'refused' : 'error';
}

/** Methods whose answer is null if the object does not exist. */
const MAY_BE_ABSENT: readonly RpcMethodName[] = [
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
];

/** Whether an error means the same as the answer null of other nodes. */
export function isAbsence(error: unknown, { method, params }: RpcCall): boolean {
  return MAY_BE_ABSENT.includes(method) && !isTag(params?.[0]) && meaningOf(error) === 'not_there';
}

/** The rest that a rate limit asks for, ms; undefined where it names none. */
export function retryAfterOf(error: unknown): number | undefined {
  return causeOf(error, TooManyRequestsError)?.retryAfterMs;
}

/** Finds an error of a class among an error and its causes. */
export function causeOf<Kind extends Error>(
  error: unknown,
  kind: abstract new (...parameters: never[]) => Kind,
): Kind | undefined {
  return linksOf(error).find((link): link is typeof link & Kind => link instanceof kind);
}
