/** So few that a node which refuses them refuses something else than their number. */
const FEWEST = 16;

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * How many addresses one call may hold. A refusal halves it; after a minute twice as many are tried again, and after each trial
 * that fails the next one waits twice as long, an hour at most: one bad moment of a node is not paid for ever. Time is the
 * caller's, in ms.
 */
export class CallSize {
  private readonly most: number;
  private proven: number;
  private pauseMs = FIRST_PAUSE_MS;
  private growAtMs = Number.NEGATIVE_INFINITY;

  /** @param most never more than so many */
  constructor(most: number) {
    this.most = most;
    this.proven = most;
  }

  /** What is known to go, or not known not to. */
  get known(): number {
    return this.proven;
  }

  /** How many to try now. */
  next(nowMs: number): number {
    return nowMs >= this.growAtMs ? Math.min(2 * this.proven, this.most) : this.proven;
  }

  /** A call of so many was answered. */
  answered(count: number): void {
    if (count <= this.proven) return;
    this.proven = count;
    this.pauseMs = FIRST_PAUSE_MS;
  }

  /** A call of so many was refused. @returns whether fewer may help */
  refused(count: number, nowMs: number): boolean {
    // One of several at once, of which another was refused before.
    if (count > this.next(nowMs)) return true;
    this.growAtMs = nowMs + this.pauseMs;
    this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
    if (count <= FEWEST) return false;
    if (count <= this.proven) this.proven = Math.max(Math.floor(count / 2), FEWEST);
    return true;
  }
}
