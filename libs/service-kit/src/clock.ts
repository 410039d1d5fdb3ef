/** The only source of the time, so that tests can set it. */
export abstract class Clock {
  /** Milliseconds since 1970. */
  abstract now(): number;
}

/** The machine's clock. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }
}
