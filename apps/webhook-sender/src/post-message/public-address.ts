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

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Asks as every other program of this machine does. */
export const resolveByName: Resolve = (host) => lookup(host, { all: true });

/**
 * Whether an address is one of the public internet: no loopback, no private, link-local, carrier-grade, documentation or
 * multicast one, and none that carries another inside, as a mapped or translated one does.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
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
