import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The name resolves to an address that is not on the public internet. */
export class PrivateAddressError extends Error {
  readonly code = 'PRIVATE_ADDRESS';

  constructor(host: string) {
    super(`${host} leads to an address that is not public`);
    this.name = 'PrivateAddressError';
  }
}

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Resolves a name with the system's resolver. */
export const resolveByName: Resolve = (host) => lookup(host, { all: true });

/** IPv6 addresses that are routed on the internet. All others are unassigned or special. Source: RFC 4291. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Protocol assignments, including Teredo. Source: RFC 2928. */
const PROTOCOL_ASSIGNMENTS = ipaddr.IPv6.parseCIDR('2001::/23');

/** Documentation. Source: RFC 9637. */
const DOCUMENTATION = ipaddr.IPv6.parseCIDR('3fff::/20');

/**
 * Whether an address is on the public internet: no loopback, private, link-local, carrier-grade, documentation or multicast
 * address, and none that contains an IPv4 address for a translator or tunnel. A mapped address counts as its IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv4') return true;
  const isIn = (range: [ipaddr.IPv6, number]) => parsed.match(range);
  return isIn(GLOBAL_UNICAST) && !isIn(PROTOCOL_ASSIGNMENTS) && !isIn(DOCUMENTATION);
}

/**
 * Returns a lookup for one connection, which uses the checked address: a name cannot resolve to another address later (DNS rebinding).
 * One forbidden address refuses the name: a public name has none.
 */
export function guardedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => isAllowed(address))) {
          callback(new PrivateAddressError(host), '', 0);
        } else if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
