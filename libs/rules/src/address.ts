import { hasValidChecksum } from './address-checksum.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** An address in lower case, or its problem in a sentence. */
export type ParsedAddress =
  | { readonly ok: true; readonly address: `0x${string}` }
  | { readonly ok: false; readonly problem: string };

/**
 * The only parser of addresses that people write: in forms, files, arguments and settings. An address in mixed case must have a right
 * checksum (EIP-55); in one case it has none. For those that receive money, see `parseRecipient`.
 */
export function parseAddress(typed: string): ParsedAddress {
  const address = typed.trim();
  if (!ADDRESS.test(address)) {
    return { ok: false, problem: 'An address is 0x followed by 40 characters from 0-9 and a-f' };
  }
  if (!hasValidChecksum(address)) {
    return { ok: false, problem: 'This address has a wrong character or capital letter: copy the address again' };
  }
  return { ok: true, address: address.toLowerCase() as `0x${string}` };
}
