/** Clients that are remembered; whoever came longest ago is forgotten first. */
const MOST_REMEMBERED = 10_000;

/** A count of unpaid jobs, and the wallet index that was the next one then. */
interface Counted {
  readonly count: number;
  readonly atIndex: number;
}

/**
 * How many unpaid jobs somebody has at most, without counting them: as many as were counted once, and all jobs that were created since,
 * whoever made them. Each job takes one wallet index, at whichever replica, so the index tells how many those are.
 */
export class UnpaidBounds {
  private readonly counted = new Map<string, Counted>();

  /** Infinity where nobody counted yet, or where the counter of wallets went back. @param nextIndex wallet index of the next job */
  atMost(who: string, nextIndex: number): number {
    const counted = this.counted.get(who);
    if (!counted || nextIndex < counted.atIndex) return Number.POSITIVE_INFINITY;
    return counted.count + (nextIndex - counted.atIndex);
  }

  /** @param nextIndex wallet index of the next job in the same snapshot of the database */
  remember(who: string, count: number, nextIndex: number): void {
    this.counted.delete(who);
    this.counted.set(who, { count, atIndex: nextIndex });
    const [oldest] = this.counted.keys();
    if (this.counted.size > MOST_REMEMBERED && oldest !== undefined) this.counted.delete(oldest);
  }
}
