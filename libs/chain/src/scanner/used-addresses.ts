import type { Address } from 'viem';
import { mayGoOtherwise, meaningOf } from '../error-meaning.ts';
import type { RpcRequest } from './rpc-request.ts';

/**
 * Creation code that tells which addresses the chain knows, in the manner of `balance-ways.ts`: `EXTCODEHASH` is zero
 * for an account without nonce, balance and code (EIP-1052), and for no other. The addresses, 20 bytes each, are
 * appended to it.
 *
 * Returned: the number (8 bytes) of the block whose state was read; then for every address that was used its offset in
 * this code (4 bytes).
 */
const PROGRAM: readonly (readonly [code: string, effect: string])[] = [
  ['43 60c0 1b 5f 52', 'mem[0..8] = NUMBER'],
  ['6008', 'out = 8'],
  ['6037', 'at = length of this program'],
  ['5b', '10: loop                                  [out at]'],
  ['80 38 11 15 6033 57', 'CODESIZE > at, else go to 51'],
  ['6014 81 83 39', 'mem[out..] = code[at..at+20]'],
  ['81 51 6060 1c 3f', 'EXTCODEHASH of these 20 bytes            [out at hash]'],
  ['15 602c 57', 'if zero go to 44'],
  ['80 60e0 1b 82 52', 'mem[out..out+4] = at'],
  ['90 6004 01 90', 'out += 4'],
  ['5b', '44: next                                  [out at]'],
  ['6014 01', 'at += 20'],
  ['600a 56', 'go to 10'],
  ['5b 50 5f f3', '51: return mem[0..out]'],
];

/** The program as hexadecimal digits without 0x; append the addresses. */
const PROGRAM_DIGITS = PROGRAM.map(([code]) => code.replaceAll(' ', '')).join('');

/** Length of the program in bytes: the offset of the first address. */
const PROGRAM_BYTES = PROGRAM_DIGITS.length / 2;

/** About 1.2 million gas: less than the smallest block of HyperEVM has, to which a node may hold its calls. */
const ADDRESSES_PER_CALL = 400;
const HEADER_BYTES = 8;
const HIT_BYTES = 4;

/** The node answered with something else than was asked for. */
export class UsedAddressesReadError extends Error {
  readonly code = 'USED_ADDRESSES_READ_FAILED';

  constructor(length: number) {
    super(`the node answered with ${length} bytes where used addresses were asked for`);
    this.name = 'UsedAddressesReadError';
  }
}

/**
 * Those of some addresses that ever held or sent anything that left a trace in their account: a balance, a nonce or
 * code. One `eth_call` per 400 of them, of the latest state; where calls without a recipient are refused, two plain requests
 * for each (docs/adr/0025).
 * @returns as they were given
 * @throws UsedAddressesReadError where the node answers with something else in every way
 */
export async function findUsedAddresses(
  request: RpcRequest,
  addresses: readonly Address[],
): Promise<ReadonlySet<Address>> {
  const used = new Set<Address>();
  for (let from = 0; from < addresses.length; from += ADDRESSES_PER_CALL) {
    const part = addresses.slice(from, from + ADDRESSES_PER_CALL);
    for (const address of await readInSomeWay(request, part)) used.add(address);
  }
  return used;
}

const PLAIN_AT_ONCE = 8;

async function readInSomeWay(request: RpcRequest, part: readonly Address[]): Promise<readonly Address[]> {
  try {
    return await readPart(request, part);
  } catch (error) {
    if (!(error instanceof UsedAddressesReadError) && !mayGoOtherwise(meaningOf(error))) throw error;
  }
  const used: Address[] = [];
  for (let from = 0; from < part.length; from += PLAIN_AT_ONCE) {
    const some = part.slice(from, from + PLAIN_AT_ONCE);
    const areUsed = await Promise.all(some.map((address) => isUsed(request, address)));
    used.push(...some.filter((_, index) => areUsed[index]));
  }
  return used;
}

/** Code without a nonce there is none: a contract begins with nonce 1 (EIP-161), and who delegates has sent or signed (EIP-7702). */
async function isUsed(request: RpcRequest, address: Address): Promise<boolean> {
  const [nonce, wei] = await Promise.all(
    ['eth_getTransactionCount', 'eth_getBalance'].map((method) => request({ method, params: [address, 'latest'] })),
  );
  return quantity(nonce) > 0n || quantity(wei) > 0n;
}

function quantity(answer: unknown): bigint {
  const text = String(answer);
  if (!/^0x[0-9a-f]+$/i.test(text)) throw new UsedAddressesReadError(text.length);
  return BigInt(text);
}

async function readPart(request: RpcRequest, addresses: readonly Address[]): Promise<Address[]> {
  const data = `0x${PROGRAM_DIGITS}${addresses.map((address) => address.slice(2).toLowerCase()).join('')}`;
  const bytes = Buffer.from(
    String(await request({ method: 'eth_call', params: [{ data }, 'latest'] })).slice(2),
    'hex',
  );
  if (bytes.length < HEADER_BYTES || (bytes.length - HEADER_BYTES) % HIT_BYTES !== 0) {
    throw new UsedAddressesReadError(bytes.length);
  }
  const used: Address[] = [];
  for (let at = HEADER_BYTES; at < bytes.length; at += HIT_BYTES) {
    const address = addresses[(bytes.readUInt32BE(at) - PROGRAM_BYTES) / 20];
    if (!address) throw new UsedAddressesReadError(bytes.length);
    used.push(address);
  }
  return used;
}
