import type { Address } from 'viem';
import type { RpcRequest } from './rpc-request.ts';
import { USED_ADDRESSES_PROGRAM, USED_ADDRESSES_PROGRAM_BYTES } from './used-addresses-program.ts';

/** About 1.2 million gas: less than the smallest block of HyperEVM has, to which a node may hold its calls. */
const ADDRESSES_PER_CALL = 400;
const HEADER_BYTES = 8;
const HIT_BYTES = 4;

/** The node answered with something else: it cannot run creation code in `eth_call`. */
export class UsedAddressesReadError extends Error {
  readonly code = 'USED_ADDRESSES_READ_FAILED';

  constructor(length: number) {
    super(
      `the node answered with ${length} bytes where used addresses were asked for; it must support eth_call without a recipient`,
    );
    this.name = 'UsedAddressesReadError';
  }
}

/**
 * Those of some addresses that ever held or sent anything that left a trace in their account: a balance, a nonce or
 * code. One `eth_call` per 400 of them, of the latest state.
 * @returns as they were given
 * @throws UsedAddressesReadError
 */
export async function findUsedAddresses(
  request: RpcRequest,
  addresses: readonly Address[],
): Promise<ReadonlySet<Address>> {
  const used = new Set<Address>();
  for (let from = 0; from < addresses.length; from += ADDRESSES_PER_CALL) {
    const part = addresses.slice(from, from + ADDRESSES_PER_CALL);
    for (const address of await readPart(request, part)) used.add(address);
  }
  return used;
}

async function readPart(request: RpcRequest, addresses: readonly Address[]): Promise<Address[]> {
  const data = `0x${USED_ADDRESSES_PROGRAM}${addresses.map((address) => address.slice(2).toLowerCase()).join('')}`;
  const bytes = Buffer.from(
    String(await request({ method: 'eth_call', params: [{ data }, 'latest'] })).slice(2),
    'hex',
  );
  if (bytes.length < HEADER_BYTES || (bytes.length - HEADER_BYTES) % HIT_BYTES !== 0) {
    throw new UsedAddressesReadError(bytes.length);
  }
  const used: Address[] = [];
  for (let at = HEADER_BYTES; at < bytes.length; at += HIT_BYTES) {
    const address = addresses[(bytes.readUInt32BE(at) - USED_ADDRESSES_PROGRAM_BYTES) / 20];
    if (!address) throw new UsedAddressesReadError(bytes.length);
    used.push(address);
  }
  return used;
}
