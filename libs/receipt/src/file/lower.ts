import type { Address } from 'viem';

/** An address in the spelling of receipts: lower case. */
export function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
