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

/** A network whose addresses a NAT64 translator leads to the IPv4 address in them. */
export type Nat64Prefix = readonly [ipaddr.IPv6, number];

/** The prefix of all translators without one of their own. Source: RFC 6052. */
const WELL_KNOWN_PREFIX: Nat64Prefix = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Lengths of a prefix that leave room for an IPv4 address. Source: RFC 6052. */
const PREFIX_LENGTHS = [32, 40, 48, 56, 64, 96];

/** Byte that an IPv4 address leaves out. Source: RFC 6052. */
const RESERVED_BYTE = 8;

/** Interface identifiers of ISATAP, which tunnels to the IPv4 address behind them. Source: RFC 5214. */
const ISATAP = [0x0000_5efe, 0x0200_5efe];

/** Reads a prefix such as `64:ff9b:1::/96`. @returns undefined if it is none of RFC 6052 */
export function readNat64Prefix(text: string): Nat64Prefix | undefined {
  if (!ipaddr.IPv6.isValidCIDR(text)) return undefined;
  const [network, length] = ipaddr.IPv6.parseCIDR(text);
  return PREFIX_LENGTHS.includes(length) ? [network, length] : undefined;
}

/** The IPv4 address that a translator with this prefix leads to. */
function translated(address: ipaddr.IPv6, [, length]: Nat64Prefix): ipaddr.IPv4 {
  const bytes = address.toByteArray().map((byte, index) => ({ byte, index }));
  const after = bytes.filter(({ index }) => index >= length / 8 && index !== RESERVED_BYTE);
  return new ipaddr.IPv4(after.slice(0, 4).map(({ byte }) => byte));
}

function isIsatap(address: ipaddr.IPv6): boolean {
  const [high = 0, low = 0] = address.parts.slice(4, 6);
  return ISATAP.includes(high * 0x1_0000 + low);
}

/**
 * Whether an address is on the public internet: no loopback, private, link-local, carrier-grade, documentation or multicast address. A
 * mapped address and one of a NAT64 translator count as their IPv4 address. Addresses of tunnels are refused: 6to4, Teredo, ISATAP.
 * @param translators prefixes of your own translators, beside the well-known one
 */
export function isPublicAddress(address: string, translators: readonly Nat64Prefix[] = []): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  const translator = [WELL_KNOWN_PREFIX, ...translators].find(([network, length]) => parsed.match(network, length));
  if (translator) return translated(parsed, translator).range() === 'unicast';
  if (parsed.range() !== 'unicast') return false;
  const isIn = (range: [ipaddr.IPv6, number]) => parsed.match(range);
  return isIn(GLOBAL_UNICAST) && !isIn(PROTOCOL_ASSIGNMENTS) && !isIn(DOCUMENTATION) && !isIsatap(parsed);
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
