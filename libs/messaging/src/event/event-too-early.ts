/**
 * An event came before another one, or a proof, that it depends on. The consumer retries it later; unlike after other errors, later
 * events of its job do not wait for it.
 */
export class EventTooEarlyError extends Error {
  /** @param code stable name, such as `WATCH_NOT_REGISTERED` */
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EventTooEarlyError';
  }
}
