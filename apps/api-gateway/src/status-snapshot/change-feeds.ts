import { JOB_CHANGES_BEAT_MS, type JobChanges } from '@maker/contracts';

/** A feed that has said nothing for so long says nothing of now: well below the second that an answer may be old, ms. */
const SILENT_MS = 3 * JOB_CHANGES_BEAT_MS;
/** A feed that has said nothing for so long is over, ms. */
const OVER_MS = 60_000;

/** What is known of a feed. Times by the clock of this process. */
interface Feed {
  readonly sequence: number;
  /** From this moment on none of its messages is missing. */
  readonly wholeSinceMs: number;
  /** When it last said that it is up to date. */
  readonly upToDateMs: number;
}

/**
 * The feeds of changes, one of each replica of the job service, and what they allow to rely on: while one of them is alive and
 * whole since before a value was asked for, a change of that value would have been heard. Source: docs/adr/0031.
 */
export class ChangeFeeds {
  private readonly feeds = new Map<string, Feed>();

  /** @param now ms, of a clock that nobody sets */
  constructor(private readonly now: () => number) {}

  /** Takes in a message of a feed. The caller forgets what it says has changed. */
  hear({ feed: name, sequence, upToDate }: JobChanges): void {
    const now = this.now();
    for (const [other, { upToDateMs }] of this.feeds) if (upToDateMs < now - OVER_MS) this.feeds.delete(other);
    const feed = this.feeds.get(name);
    const isNext = feed !== undefined && feed.sequence + 1 === sequence;
    this.feeds.set(name, {
      sequence,
      wholeSinceMs: isNext ? feed.wholeSinceMs : now,
      upToDateMs: upToDate ? now : (feed?.upToDateMs ?? Number.NEGATIVE_INFINITY),
    });
  }

  /** Whether every change since a moment was heard. */
  isWholeSince(momentMs: number): boolean {
    const spoken = this.now() - SILENT_MS;
    for (const { wholeSinceMs, upToDateMs } of this.feeds.values()) {
      if (wholeSinceMs <= momentMs && upToDateMs >= spoken) return true;
    }
    return false;
  }

  /** Feeds that can be relied on now. */
  get alive(): number {
    const spoken = this.now() - SILENT_MS;
    return [...this.feeds.values()].filter(({ upToDateMs }) => upToDateMs >= spoken).length;
  }
}
