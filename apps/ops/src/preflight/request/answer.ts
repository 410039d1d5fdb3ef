import type { RpcMethodName } from '@maker/chain';

/** An endpoint's answer to one call: a result, an error of the node, or a failure outside JSON-RPC. */
export type Reply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly failure: string; readonly limited?: boolean };

/** A reply with its time. */
export type Answer = Reply & {
  /** Time of the request, ms since 1970. */
  readonly atMs: number;
  /** Duration of the request, ms. */
  readonly ms: number;
};

/** Sends a request to an endpoint, by its position from 0. Never rejects: an error is an answer too. */
export type Ask = (endpoint: number, method: RpcMethodName, params: readonly unknown[]) => Promise<Answer>;

export type AskEndpoint = (method: RpcMethodName, params: readonly unknown[]) => Promise<Answer>;

/** An answer without a result, as an error whose meaning `meaningOf` of @maker/chain reads. */
export class AnswerError extends Error {
  readonly code: number | undefined;
  readonly status: number | undefined;

  constructor(answer: Exclude<Reply, { result: unknown }>) {
    super('error' in answer ? answer.error.message : answer.failure);
    this.name = 'AnswerError';
    this.code = 'error' in answer ? answer.error.code : undefined;
    this.status = 'failure' in answer && answer.limited ? 429 : undefined;
  }
}

/** @returns the result @throws AnswerError if there is none */
export function resultOf(answer: Reply): unknown {
  if ('result' in answer) return answer.result;
  throw new AnswerError(answer);
}

const LONGEST_WORDS = 70;

/** Returns a short text of an answer without a result. */
export function wordsOf(answer: Reply): string {
  if ('result' in answer) return 'answered';
  const words = 'error' in answer ? `${answer.error.code} ${answer.error.message}` : answer.failure;
  const [line = ''] = words.split('\n', 1);
  return line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS)}…` : line;
}
