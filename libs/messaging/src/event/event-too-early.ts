/** An event came before another one that it depends on: the consumer retries it later. */
export class EventTooEarlyError extends Error {
  /** @param code stable name, such as `WATCH_NOT_REGISTERED` */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'EventTooEarlyError';
  }
}
