import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A name leads to an address that nobody outside could mean. */
export class PrivateAddressError extends Error {
  readonly code = 'PRIVATE_ADDRESS';

  constructor(host: string) {
    super(`${host} leads to an address that is not public`);
    this.name = 'PrivateAddressError';
  }
}

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Asks as every other program of this machine does. */
export const resolveByName: Resolve = (host) => lookup(host, { all: true });

/** The IPv6 addresses that are routed on the internet. All others are not assigned, or stand for something else. RFC 4291 names them. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Protocol assignments, Teredo among them. See RFC 2928. */
const PROTOCOL_ASSIGNMENTS = ipaddr.IPv6.parseCIDR('2001::/23');

/** Documentation. See RFC 9637. */
const DOCUMENTATION = ipaddr.IPv6.parseCIDR('3fff::/20');

/**
 * Whether an address is one of the public internet: no loopback, no private, link-local, carrier-grade, documentation or
 * multicast one, and none that carries an IPv4 address inside for a translator or a tunnel. A mapped one counts as what it carries.
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
 * Resolves for one connection, which then is made to an address that was checked here: a name that leads elsewhere the next time
 * it is asked leads nowhere. One address that is not allowed refuses all: a name of the public has no such one.
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
