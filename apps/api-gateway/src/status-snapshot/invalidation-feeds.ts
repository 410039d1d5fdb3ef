import type { JobChanges } from '@maker/contracts';

/** How long a message of a feed is valid, ms: the allowed age of an answer, 1 s, less the latency of a message. */
const VALID_MS = 900;
/** A feed without messages for this time has ended, ms. */
const ENDED_MS = 60_000;

/** State of a feed. Times by the clock of this process. */
interface Feed {
  readonly sequence: number;
  /** No message is missing after this time. */
  readonly gaplessSinceMs: number;
  /** The feed has reported all writes until this time. */
  readonly completeUntilMs: number;
}

/**
 * The feeds of changes, one of each replica of the job service. While one feed is alive and without gaps since before a value was
 * requested, this gateway would have received each change of that value. Source: docs/adr/0031.
 */
export class InvalidationFeeds {
  private readonly feeds = new Map<string, Feed>();

  /** @param now monotonic clock, ms */
  constructor(private readonly now: () => number) {}

  /** Records a message of a feed. The caller invalidates the changed jobs. */
  receive({ feed: name, sequence, ageMs }: JobChanges): void {
    const now = this.now();
    for (const [other, { completeUntilMs }] of this.feeds)
      if (completeUntilMs < now - ENDED_MS) this.feeds.delete(other);
    const feed = this.feeds.get(name);
    const isNext = feed !== undefined && feed.sequence + 1 === sequence;
    this.feeds.set(name, {
      sequence,
      gaplessSinceMs: isNext ? feed.gaplessSinceMs : now,
      completeUntilMs: Math.max(now - ageMs, feed?.completeUntilMs ?? Number.NEGATIVE_INFINITY),
    });
  }

  /** Whether this gateway has received every change since a time. */
  isCompleteSince(momentMs: number): boolean {
    const oldestMs = this.now() - VALID_MS;
    for (const { gaplessSinceMs, completeUntilMs } of this.feeds.values()) {
      if (gaplessSinceMs <= momentMs && completeUntilMs > oldestMs) return true;
    }
    return false;
  }
}
