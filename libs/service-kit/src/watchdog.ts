/** Time between two checks, ms. */
const CHECK_MS = 10_000;

/** Time within which a loop must come round, ms: many times the longest time limit of a request, a transaction or a scan of one block. */
const STANDS_AFTER_MS = 5 * 60_000;

/** A loop or piece of work that the watchdog knows. */
export interface Watched {
  /** A round has ended, whether its work failed or not. @param pauseMs time until the next one begins, ms */
  cameRound(pauseMs?: number): void;
  /** The loop has ended. */
  end(): void;
}

interface Entry extends Watched {
  readonly name: string;
  /** Time since its last round, ms; negative while it pauses. */
  ageMs: number;
}

/**
 * Finds loops that stand: no round has ended for minutes. An outage makes rounds fail, and failed rounds end. It counts its own checks
 * instead of reading a clock, so a stepped clock and a stopped process count for nothing. Source: docs/adr/0161.
 */
export class Watchdog {
  private readonly entries = new Set<Entry>();

  /** Longest time without a round, ms. Tests shorten it. */
  standsAfterMs = STANDS_AFTER_MS;

  /** Adds a loop that begins now. */
  watch(name: string): Watched {
    const entry: Entry = {
      name,
      ageMs: 0,
      cameRound: (pauseMs = 0) => {
        entry.ageMs = -pauseMs;
      },
      end: () => this.entries.delete(entry),
    };
    this.entries.add(entry);
    return entry;
  }

  /** Does work that ends within the same time. @throws its error */
  async during<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const watched = this.watch(name);
    try {
      return await work();
    } finally {
      watched.end();
    }
  }

  /** Counts one check. @returns the names of loops that stand */
  check(sinceLastMs: number): readonly string[] {
    for (const entry of this.entries) entry.ageMs += sinceLastMs;
    return [...this.entries].filter(({ ageMs }) => ageMs >= this.standsAfterMs).map(({ name }) => name);
  }

  /** Checks from now on. @param onStanding is called at each check that finds loops @param everyMs between two checks, ms */
  start(onStanding: (names: readonly string[]) => void, everyMs = CHECK_MS): void {
    const check = () => {
      const names = this.check(everyMs);
      if (names.length > 0) onStanding(names);
    };
    setInterval(check, everyMs).unref();
  }
}

/** The watchdog of this process. */
export const watchdog = new Watchdog();
