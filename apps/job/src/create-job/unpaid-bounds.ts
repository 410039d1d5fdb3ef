/** Most clients in memory; the least recently counted is removed first. */
const MOST_REMEMBERED = 10_000;

/** A count of unpaid jobs, and the next wallet index at that time. */
interface Counted {
  readonly count: number;
  readonly atIndex: number;
}

/**
 * Upper bound of a client's unpaid jobs, without a query: the last count plus all jobs that any client created since.
 * Each job takes one wallet index at any replica, so the index shows how many these are.
 */
export class UnpaidBounds {
  private readonly counted = new Map<string, Counted>();

  /** Infinity before the first count, and if the wallet counter went back. @param nextIndex wallet index of the next job */
  atMost(client: string, nextIndex: number): number {
    const counted = this.counted.get(client);
    if (!counted || nextIndex < counted.atIndex) return Number.POSITIVE_INFINITY;
    return counted.count + (nextIndex - counted.atIndex);
  }

  /** @param nextIndex wallet index of the next job in the same snapshot of the database */
  remember(client: string, count: number, nextIndex: number): void {
    this.counted.delete(client);
    this.counted.set(client, { count, atIndex: nextIndex });
    const [oldest] = this.counted.keys();
    if (this.counted.size > MOST_REMEMBERED && oldest !== undefined) this.counted.delete(oldest);
  }
}
