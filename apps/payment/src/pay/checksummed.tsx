import { checksumAddress } from '@maker/rules';

/** An address with the capitals of its checksum, which payers compare with their wallet. */
export default function Checksummed({ address }: { readonly address: string }) {
  return checksumAddress(address);
}
