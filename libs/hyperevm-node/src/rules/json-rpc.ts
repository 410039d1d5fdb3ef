/** JSON-RPC 2.0: the body is not JSON. */
export const PARSE_ERROR = -32_700;
/** JSON-RPC 2.0: the body is not a request. */
export const INVALID_REQUEST = -32_600;
/** JSON-RPC 2.0: the method does not exist. */
export const METHOD_NOT_FOUND = -32_601;
/** JSON-RPC 2.0: the parameters are invalid. */
export const INVALID_PARAMETERS = -32_602;
/** The code of most rejections of HyperEVM's nodes, including temporary failures. Source: hyperevm § 1.2. */
export const INTERNAL_ERROR = -32_603;
/** EIP-1474: too many requests. */
export const LIMIT_EXCEEDED = -32_005;

/** The `error` member of a response. */
export interface ErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** An error to answer with. `message` is for the caller of the node. */
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

/** An invalid parameter. @param what its name and the expected value */
export function invalidParameters(what: string): RpcError {
  return new RpcError(INVALID_PARAMETERS, `invalid params: ${what}`);
}

/** A height above the node's head, or below its oldest block. Source: hyperevm § 1.2. */
export function invalidHeight(height: number): RpcError {
  return new RpcError(INTERNAL_ERROR, `invalid block height: ${height}`);
}

/** One call of a request. */
export interface Call {
  id: unknown;
  method: string;
  params: readonly unknown[];
}

/** One response. */
export type Answer = { jsonrpc: '2.0'; id: unknown } & ({ result: unknown } | { error: ErrorObject });

/** Parses one call. @throws RpcError when it is invalid */
export function readCall(value: unknown): Call {
  const { id = null, method, params = [] } = (value ?? {}) as { id?: unknown; method?: unknown; params?: unknown };
  if (typeof value !== 'object' || typeof method !== 'string' || !Array.isArray(params)) {
    throw new RpcError(INVALID_REQUEST, 'Invalid request');
  }
  return { id, method, params };
}

/** The response for an error. */
export function errorAnswer(id: unknown, error: RpcError): Answer {
  return { jsonrpc: '2.0', id, error: error.toObject() };
}
