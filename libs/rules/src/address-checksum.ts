import { keccak_256 } from '@noble/hashes/sha3.js';

const LETTERS = /[a-f]/;
const CAPITALS = /[A-F]/;

/**
 * Whether the capitals of an address match EIP-55. An address in one case has no checksum, and passes.
 * @param address 0x and 40 hexadecimal digits
 */
export function hasValidChecksum(address: string): boolean {
  const digits = address.slice(2);
  if (!LETTERS.test(digits) || !CAPITALS.test(digits)) return true;
  const hash = keccak_256(new TextEncoder().encode(digits.toLowerCase()));
  return [...digits].every((digit, index) => {
    const half = (hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0);
    return digit === ((half & 8) === 0 ? digit.toLowerCase() : digit.toUpperCase());
  });
}
