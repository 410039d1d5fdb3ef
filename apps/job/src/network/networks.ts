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

/** The widest network of a client; undefined if the gateway does not name the client. */
export function widestNetwork(clientAddress: string | undefined): string | undefined {
  return clientAddress === undefined ? undefined : networksOf(clientAddress)[0];
}
