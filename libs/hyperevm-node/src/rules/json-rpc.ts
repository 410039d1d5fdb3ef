/** JSON-RPC 2.0: the body is no JSON. */
export const PARSE_ERROR = -32_700;
/** JSON-RPC 2.0: the body is no request. */
export const INVALID_REQUEST = -32_600;
/** JSON-RPC 2.0: there is no such method here. */
export const METHOD_NOT_FOUND = -32_601;
/** JSON-RPC 2.0: the method does not take these parameters. */
export const INVALID_PARAMETERS = -32_602;
/** What HyperEVM's nodes answer with for most refusals, passing faults among them. Source: hyperevm § 1.2. */
export const INTERNAL_ERROR = -32_603;
/** EIP-1474: too many requests. */
export const LIMIT_EXCEEDED = -32_005;

/** The `error` member of an answer. */
export interface ErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** An answer that is an error. `message` is what the caller of the node reads. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }

  toObject(): ErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** A parameter that cannot be read. @param what names it and says what it should be */
export function invalidParameters(what: string): RpcError {
  return new RpcError(INVALID_PARAMETERS, `invalid params: ${what}`);
}

/** A height that the node does not have: above its head, or before what it keeps. Source: hyperevm § 1.2. */
export function invalidHeight(height: number): RpcError {
  return new RpcError(INTERNAL_ERROR, `invalid block height: ${height}`);
}

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
