import type { FailureCode } from '@maker/contracts';

/** An error of the gateway's own, answered with the status that its code stands for. */
export class ApiError extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    /** Seconds after which to try again, for the Retry-After header. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}
