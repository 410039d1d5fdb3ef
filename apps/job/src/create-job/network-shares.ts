/** Unpaid jobs of one network: all of them, and those that may give way. */
export interface UnpaidJobs {
  readonly count: number;
  readonly evictable: number;
}

/** Unpaid jobs of each network, used while the limit of all is reached. */
export class NetworkShares {
  private readonly counts = new Map<string, UnpaidJobs>();

  /** @param jobs unpaid jobs by the networks of their clients, widest first */
  constructor(jobs: Iterable<UnpaidJobs & { readonly networks: readonly string[] }>) {
    for (const { networks, ...unpaid } of jobs) this.change(networks, unpaid);
  }

  add(networks: readonly string[]): void {
    this.change(networks, { count: 1, evictable: 1 });
  }

  remove(networks: readonly string[]): void {
    this.change(networks, { count: -1, evictable: -1 });
  }

  /**
   * Finds the network that gives up one job to a client: the largest that has one to give, if its count is above that of the
   * client's network with one more job. At the client's own network, the search continues within it.
   * @param networks of the client, widest first
   * @returns undefined if no larger network has a job to give
   */
  givesWayTo(networks: readonly string[]): string | undefined {
    let within = '';
    for (const own of networks) {
      const path = within + SEPARATOR + own;
      const least = (this.counts.get(path)?.count ?? 0) + 1;
      const larger = this.largestWithin(within).find(
        ([other, { count, evictable }]) => other === path || (count > least && evictable > 0),
      );
      if (larger === undefined) return undefined;
      if (larger[0] !== path) return larger[0].slice(path.lastIndexOf(SEPARATOR) + 1);
      within = path;
    }
    return undefined;
  }

  /** Networks inside another one, the largest first. */
  private largestWithin(within: string): readonly (readonly [string, UnpaidJobs])[] {
    return [...this.counts]
      .filter(([path]) => path.lastIndexOf(SEPARATOR) === within.length && path.startsWith(within))
      .sort(([, one], [, other]) => other.count - one.count);
  }

  private change(networks: readonly string[], by: UnpaidJobs): void {
    for (const level of networks.keys()) {
      const path = pathOf(networks.slice(0, level + 1));
      const { count, evictable } = this.counts.get(path) ?? { count: 0, evictable: 0 };
      this.counts.set(path, { count: count + by.count, evictable: evictable + by.evictable });
    }
  }
}

const SEPARATOR = ' ';

function pathOf(networks: readonly string[]): string {
  return networks.map((network) => SEPARATOR + network).join('');
}
