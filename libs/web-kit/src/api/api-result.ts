/** What the API, or the way to it, said went wrong. Source: specification § 3 'Error body'. */
export interface ApiError {
  /** Name of the kind of error, such as 'Not Found' or 'Network error'. */
  readonly error: string;
  /** A sentence for people. */
  readonly message: string;
  /** HTTP status; absent when no answer came. */
  readonly statusCode?: number;
  /** Stable name, such as `TOKEN_NOT_TRADABLE`, where the API gave one. */
  readonly code?: string;
  /** Id of the failed request, which names it in every log of the product: for support. */
  readonly requestId?: string;
}

/** Outcome of one call: never thrown, so that every caller has to look. Source: specification § 7. */
export type ApiResult<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly error: ApiError };

/** A failed call where a caller must throw, as queries of TanStack Query do. */
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

/** No answer came at all. Both texts: specification § 7. */
export const NETWORK_ERROR: ApiError = {
  error: 'Network error',
  message: 'Failed to connect to the API server',
};
