/** An event came before the one that it stands on: it is tried again later. */
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
