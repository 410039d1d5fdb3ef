import ipaddr from 'ipaddr.js';

/** Prefixes that group clients, widest first: a site, a customer and a household. */
const IPV6_PREFIXES = [48, 56, 64];
const IPV4_PREFIXES = [24, 32];

/** Network of jobs without a client address. */
const UNKNOWN: readonly string[] = ['unknown'];

/**
 * The networks of a client, widest first.
 * @param clientAddress an address, or an IPv6 network such as `2001:db8:1:2::/64`
 */
export function networksOf(clientAddress: string | undefined): readonly string[] {
  const [text = ''] = (clientAddress ?? '').split('/');
  if (!ipaddr.isValid(text)) return UNKNOWN;
  const address = ipaddr.process(text);
  const prefixes = address.kind() === 'ipv4' ? IPV4_PREFIXES : IPV6_PREFIXES;
  const ofKind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return prefixes.map((prefix) => `${ofKind.networkAddressFromCIDR(`${address}/${prefix}`)}/${prefix}`);
}

/** Number of unpaid jobs of each network, used while the limit of all is reached. */
export class NetworkShares {
  private readonly counts = new Map<string, number>();

  /** @param jobs networks of unpaid jobs, widest first, with the number of jobs that have these */
  constructor(jobs: Iterable<{ readonly networks: readonly string[]; readonly count: number }>) {
    for (const { networks, count } of jobs) this.change(networks, count);
  }

  add(networks: readonly string[]): void {
    this.change(networks, 1);
  }

  remove(networks: readonly string[]): void {
    this.change(networks, -1);
  }

  /**
   * Finds the network that gives up one job to a client: the largest, if its count is above that of the client's
   * network with one more job. If the largest is the client's own, the search continues within it.
   * @param networks of the client, widest first
   * @returns undefined if the client has its fair share already
   */
  givesWayTo(networks: readonly string[]): string | undefined {
    const levels = networks.map((own, level) => ({ own, within: level === 0 ? '' : pathOf(networks.slice(0, level)) }));
    for (const { own, within } of levels) {
      const [largest, count] = this.largestWithin(within);
      if (largest === undefined) return undefined;
      const path = within + SEPARATOR + own;
      if (largest === path) continue;
      return (this.counts.get(path) ?? 0) + 1 < count ? largest.slice(largest.lastIndexOf(SEPARATOR) + 1) : undefined;
    }
    return undefined;
  }

  private largestWithin(within: string): readonly [string | undefined, number] {
    let largest: readonly [string | undefined, number] = [undefined, 0];
    for (const [path, count] of this.counts) {
      const isInside = path.lastIndexOf(SEPARATOR) === within.length && path.startsWith(within);
      if (isInside && count > largest[1]) largest = [path, count];
    }
    return largest;
  }

  private change(networks: readonly string[], by: number): void {
    for (const level of networks.keys()) {
      const path = pathOf(networks.slice(0, level + 1));
      this.counts.set(path, (this.counts.get(path) ?? 0) + by);
    }
  }
}

const SEPARATOR = ' ';

function pathOf(networks: readonly string[]): string {
  return networks.map((network) => SEPARATOR + network).join('');
}
