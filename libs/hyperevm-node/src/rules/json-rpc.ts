import { type ErrorObject, INVALID_REQUEST, RpcError } from './rpc-error.ts';

/** One call of a request. */
export interface Call {
  id: unknown;
  method: string;
  params: readonly unknown[];
}

/** One answer. */
export type Answer = { jsonrpc: '2.0'; id: unknown } & ({ result: unknown } | { error: ErrorObject });

/** Reads one call. @throws RpcError when it is none */
export function readCall(value: unknown): Call {
  const { id = null, method, params = [] } = (value ?? {}) as { id?: unknown; method?: unknown; params?: unknown };
  if (typeof value !== 'object' || typeof method !== 'string' || !Array.isArray(params)) {
    throw new RpcError(INVALID_REQUEST, 'Invalid request');
  }
  return { id, method, params };
}

/** An answer that is an error, whatever was thrown. */
export function errorAnswer(id: unknown, error: RpcError): Answer {
  return { jsonrpc: '2.0', id, error: error.toObject() };
}
