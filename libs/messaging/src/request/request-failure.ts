import type { RequestFailure as Refusal } from '@maker/contracts';

/** Thrown by the handler of a request to refuse it: code and message reach the one who asked. */
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

/** What the one who asked gets: the refusal of the other service, or `SERVICE_UNAVAILABLE` / `SERVICE_TIMEOUT`. */
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
