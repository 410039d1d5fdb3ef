import type { Address, Hex } from 'viem';
import { mayGoOtherwise, meaningOf } from '../error-meaning.ts';
import type { RpcRequest } from './rpc-request.ts';

/**
 * Creation code that finds used addresses, in the same way as `balance-ways.ts`: `EXTCODEHASH` is zero only for an
 * account without nonce, balance and code (EIP-1052). The addresses, 20 bytes each, are appended to it.
 *
 * It returns the number (8 bytes) of the block whose state it read, then the offset of every used address in this
 * code (4 bytes each).
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

/** About 1.2 million gas: less than a small block of HyperEVM has. A node may limit its calls to that. */
const ADDRESSES_PER_CALL = 400;
const HEADER_BYTES = 8;
const HIT_BYTES = 4;

/** The call returned other data; the plain requests follow. */
class UsedAddressesReadError extends Error {
  readonly code = 'USED_ADDRESSES_READ_FAILED';

  constructor(length: number) {
    super(`the node answered with ${length} bytes where used addresses were asked for`);
    this.name = 'UsedAddressesReadError';
  }
}

/**
 * Finds the addresses whose account has a trace of use: a balance, a nonce or code. One `eth_call` per 400 addresses, of the latest
 * state; where the node refuses calls without a recipient or returns other data, two plain requests for each (docs/adr/0025).
 * @returns addresses in their given form
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

const PARALLEL_PLAIN = 8;

async function readInSomeWay(request: RpcRequest, part: readonly Address[]): Promise<readonly Address[]> {
  try {
    return await readPart(request, part);
  } catch (error) {
    if (!(error instanceof UsedAddressesReadError) && !mayGoOtherwise(meaningOf(error))) throw error;
  }
  const used: Address[] = [];
  for (let from = 0; from < part.length; from += PARALLEL_PLAIN) {
    const some = part.slice(from, from + PARALLEL_PLAIN);
    const areUsed = await Promise.all(some.map((address) => isUsed(request, address)));
    used.push(...some.filter((_, index) => areUsed[index]));
  }
  return used;
}

/** Every account with code has a nonce: a contract starts with nonce 1 (EIP-161), and a delegation raises the nonce (EIP-7702). */
async function isUsed(request: RpcRequest, address: Address): Promise<boolean> {
  const [nonce, wei] = await Promise.all(
    (['eth_getTransactionCount', 'eth_getBalance'] as const).map((method) =>
      request({ method, params: [address, 'latest'] }),
    ),
  );
  return BigInt(nonce as Hex) > 0n || BigInt(wei as Hex) > 0n;
}

async function readPart(request: RpcRequest, addresses: readonly Address[]): Promise<Address[]> {
  const data = `0x${PROGRAM_DIGITS}${addresses.map((address) => address.slice(2).toLowerCase()).join('')}`;
  const returned = (await request({ method: 'eth_call', params: [{ data }, 'latest'] })) as Hex;
  const bytes = Buffer.from(returned.slice(2), 'hex');
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
