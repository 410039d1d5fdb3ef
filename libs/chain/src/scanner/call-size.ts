/** Smallest size: if a node refuses so few addresses, their number is not the cause. */
const FEWEST = 16;

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Number of addresses that one call may hold. A refusal halves it. After a minute it tries twice as many again; each failed trial
 * doubles the pause before the next, up to an hour. A brief fault of a node thus has no permanent effect. The caller passes the
 * time, ms.
 */
export class CallSize {
  private readonly most: number;
  private proven: number;
  private pauseMs = FIRST_PAUSE_MS;
  private growAtMs = Number.NEGATIVE_INFINITY;

  /** @param most upper limit */
  constructor(most: number) {
    this.most = most;
    this.proven = most;
  }

  /** The size that works, or that no node has refused yet. */
  get known(): number {
    return this.proven;
  }

  /** The size to try now. */
  next(nowMs: number): number {
    return nowMs >= this.growAtMs ? Math.min(2 * this.proven, this.most) : this.proven;
  }

  /** Records that a call of this size was answered. */
  answered(count: number): void {
    if (count <= this.proven) return;
    this.proven = count;
    this.pauseMs = FIRST_PAUSE_MS;
  }

  /** Records that a call of this size was refused. @returns whether a smaller call may help */
  refused(count: number, nowMs: number): boolean {
    // One of several parallel calls, after the refusal of another one.
    if (count > this.next(nowMs)) return true;
    this.growAtMs = nowMs + this.pauseMs;
    this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
    if (count <= FEWEST) return false;
    if (count <= this.proven) this.proven = Math.max(Math.floor(count / 2), FEWEST);
    return true;
  }
}
