/** An error of the API or of the network. Source: specification § 3 'Error body'. */
export interface ApiError {
  /** Name of the kind of error, such as 'Not Found' or 'Network error'. */
  readonly error: string;
  /** A sentence for people. */
  readonly message: string;
  /** HTTP status; absent when no answer came. */
  readonly statusCode?: number;
  /** Stable name, such as `TOKEN_NOT_TRADABLE`, if the API sent one. */
  readonly code?: string;
  /** Id of the failed request, for support: every log of the product contains it. */
  readonly requestId?: string;
}

/** Outcome of one call: never thrown, so that every caller must check it. Source: specification § 7. */
export type ApiResult<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly error: ApiError };

/** A failed call as an exception, as queries of TanStack Query need. */
export class ApiCallError extends Error {
  readonly error: ApiError;

  constructor(error: ApiError) {
    super(error.message);
    this.name = 'ApiCallError';
    this.error = error;
  }
}

/** The data of a result, for callers that work with exceptions. @throws ApiCallError */
export function unwrap<Data>(result: ApiResult<Data>): Data {
  if (result.ok) return result.data;
  throw new ApiCallError(result.error);
}

/** The request got no answer. Both texts: specification § 7. */
export const NETWORK_ERROR: ApiError = {
  error: 'Network error',
  message: 'Failed to connect to the API server',
};
