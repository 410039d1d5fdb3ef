import { keccak_256 } from '@noble/hashes/sha3.js';

const LETTERS = /[a-f]/;
const CAPITALS = /[A-F]/;

/**
 * Whether the capitals of an address match EIP-55. An address in one case has no checksum, and passes.
 * @param address 0x and 40 hexadecimal digits
 */
export function hasValidChecksum(address: string): boolean {
  const digits = address.slice(2);
  return !LETTERS.test(digits) || !CAPITALS.test(digits) || address === checksumAddress(address);
}

/** An address with the capitals of its checksum (EIP-55), as wallets show it. @param address 0x and 40 hexadecimal digits in any case */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(digits));
  const capitals = [...digits].map((digit, index) => {
    const half = (hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0);
    return (half & 8) === 0 ? digit : digit.toUpperCase();
  });
  return `0x${capitals.join('')}`;
}
