import type { RequestFailure as Refusal } from '@maker/contracts';

/** A request's handler throws it to refuse the request: the caller gets code and message. */
export class RequestFailure extends Error implements Refusal {
  /** @param code stable name such as `JOB_NOT_FOUND` @param message a sentence for people */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** The caller's error: the refusal of the other service, or `SERVICE_UNAVAILABLE` / `SERVICE_TIMEOUT`. */
export class RequestFailedError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'RequestFailedError';
  }
}
