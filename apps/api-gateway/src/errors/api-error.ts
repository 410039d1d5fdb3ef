import type { FailureCode } from '@maker/contracts';

/** An error of the gateway itself. Its code decides the HTTP status. */
export class ApiError extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    /** Value of the Retry-After header, s. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}
