import type { JobChanges } from '@maker/contracts';

/** What was all so long ago says nothing of now: the second that an answer may be old, less the way of a message, ms. */
const RELIED_ON_MS = 900;
/** A feed that has said nothing for so long is over, ms. */
const OVER_MS = 60_000;

/** What is known of a feed. Times by the clock of this process. */
interface Feed {
  readonly sequence: number;
  /** From this moment on none of its messages is missing. */
  readonly wholeSinceMs: number;
  /** What was written until this moment was told. */
  readonly toldUntilMs: number;
}

/**
 * The feeds of changes, one of each replica of the job service, and what they allow to rely on: while one of them is alive and
 * whole since before a value was asked for, a change of that value would have been heard. Source: docs/adr/0031.
 */
export class InvalidationFeeds {
  private readonly feeds = new Map<string, Feed>();

  /** @param now ms, of a clock that nobody sets */
  constructor(private readonly now: () => number) {}

  /** Takes in a message of a feed. The caller forgets what it says has changed. */
  hear({ feed: name, sequence, ageMs }: JobChanges): void {
    const now = this.now();
    for (const [other, { toldUntilMs }] of this.feeds) if (toldUntilMs < now - OVER_MS) this.feeds.delete(other);
    const feed = this.feeds.get(name);
    const isNext = feed !== undefined && feed.sequence + 1 === sequence;
    this.feeds.set(name, {
      sequence,
      wholeSinceMs: isNext ? feed.wholeSinceMs : now,
      toldUntilMs: Math.max(now - ageMs, feed?.toldUntilMs ?? Number.NEGATIVE_INFINITY),
    });
  }

  /** Whether every change since a moment was heard. */
  isWholeSince(momentMs: number): boolean {
    const oldestMs = this.now() - RELIED_ON_MS;
    for (const { wholeSinceMs, toldUntilMs } of this.feeds.values()) {
      if (wholeSinceMs <= momentMs && toldUntilMs > oldestMs) return true;
    }
    return false;
  }
}
