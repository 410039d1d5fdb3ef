/**
 * The time of day, so that tests can set it. Use it to stamp what people read, and to compare with times of the chain or of a database.
 * It may step back or forward by hours: wait, and measure ages, by {@link SteadyClock}. Source: docs/adr/0161.
 */
export abstract class Clock {
  /** Milliseconds since 1970. */
  abstract now(): number;
}

/** A clock that only goes forward, for waits, ages, timeouts and back-offs within this process. */
export abstract class SteadyClock {
  /** Milliseconds since an unspecified moment. */
  abstract now(): number;
}

/** The machine's clock. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }
}

/** The machine's monotonic clock. */
export class SystemSteadyClock extends SteadyClock {
  now(): number {
    return performance.now();
  }
}
