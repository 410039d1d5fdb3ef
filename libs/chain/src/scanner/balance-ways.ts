import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, hexToBigInt, parseAbi } from 'viem';
import { multicall3Abi } from '../abi/multicall3.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { RpcRequest } from './rpc-request.ts';
import type { WireBlock } from './wire-block.ts';

/** Balances in the state of one block. */
export interface BalanceReading {
  /** The block whose state was read, by the EVM's own answer; it may be newer than the scan's cursor. */
  readonly blockNumber: number;
  readonly timestampMs: number;
  /** Every address that was read. */
  readonly addresses: readonly Address[];
  /** Balances above zero, wei, by address; a missing address has no balance. */
  readonly balances: ReadonlyMap<Address, bigint>;
}

/** One way to read balances. */
export interface BalanceWay {
  /** Most addresses of one call. */
  readonly most: number;
  /** Parallel calls to one node. */
  readonly parallelCalls: number;
  /** Reads all balances at one state. */
  readonly read: (addresses: readonly Address[]) => Promise<BalanceReading>;
}

/** The node answered a balance read with other data. */
export class BalanceReadError extends Error {
  readonly code = 'BALANCE_READ_FAILED';

  constructor(length: number) {
    super(`the node answered a balance read with ${length} bytes that are no balances`);
    this.name = 'BalanceReadError';
  }
}

/** Parallel calls to one node: more would delay the read of the next block. */
const PARALLEL_CALLS = 4;
const HEADER_BYTES = 16;
const HIT_BYTES = 20;

/**
 * Creation code that reads balances and returns them as a contract's code. It needs no deployment and no state overrides.
 * The addresses, 20 bytes each, are appended to it.
 *
 * It returns the number (8 bytes) and the timestamp in seconds (8 bytes) of the block whose state it read; `eth_getBalance`
 * returns neither. For every balance above zero, the offset of its address in this code (4 bytes) and the balance (16 bytes)
 * follow. An address without money costs gas, about 2,830, but no byte.
 *
 * Bounds: creation code may be 49,152 bytes long (EIP-3860), and the returned data 24,576 (EIP-170). The first returned
 * byte is that of a block number, so never the 0xEF that EIP-3541 forbids.
 */
const PROGRAM: readonly (readonly [code: string, effect: string])[] = [
  ['43 60c0 1b 5f 52', 'mem[0..8] = NUMBER'],
  ['42 60c0 1b 6008 52', 'mem[8..16] = TIMESTAMP'],
  ['6010', 'out = 16'],
  ['6049', 'at = length of this program'],
  ['5b', '17: loop                                  [out at]'],
  ['80 38 11 15 6045 57', 'CODESIZE > at, else go to 69'],
  ['6020 81 83 39', 'mem[out..] = code[at..at+32]'],
  ['81 51 6060 1c 31', 'BALANCE of its first 20 bytes            [out at balance]'],
  ['80 15 603d 57', 'if zero go to 61'],
  ['81 60e0 1b 83 52', 'mem[out..out+4] = at'],
  ['80 6080 1b 83 6004 01 52', 'mem[out+4..out+20] = balance'],
  ['91 6014 01 91', 'out += 20'],
  ['5b 50', '61: drop the balance                      [out at]'],
  ['6014 01', 'at += 20'],
  ['6011 56', 'go to 17'],
  ['5b 50 5f f3', '69: return mem[0..out]'],
];

/** The program as hexadecimal digits without 0x; append the addresses. */
const BALANCE_PROGRAM = PROGRAM.map(([code]) => code.replaceAll(' ', '')).join('');

/** Length of the program in bytes: the offset of the first address. */
export const BALANCE_PROGRAM_BYTES = BALANCE_PROGRAM.length / 2;

/** Most addresses that fit into one call by EIP-3860; the node's gas limit may allow fewer. */
export const MOST_ADDRESSES_PER_CALL = Math.floor((49_152 - BALANCE_PROGRAM_BYTES) / 20);

/** Reads by creation code, in one `eth_call` without a recipient: 8 bytes and about 2,830 gas for an empty address. */
export function byProgram(request: RpcRequest, most = MOST_ADDRESSES_PER_CALL): BalanceWay {
  const read = async (addresses: readonly Address[]) => {
    const data = `0x${BALANCE_PROGRAM}${addresses.map((address) => address.slice(2)).join('')}`;
    const result = await request({ method: 'eth_call', params: [{ data }, 'latest'] });
    const bytes = Buffer.from((result as Hex).slice(2), 'hex');
    if (bytes.length < HEADER_BYTES || (bytes.length - HEADER_BYTES) % HIT_BYTES !== 0) {
      throw new BalanceReadError(bytes.length);
    }
    const balances = new Map<Address, bigint>();
    for (let at = HEADER_BYTES; at < bytes.length; at += HIT_BYTES) {
      const address = addresses[(bytes.readUInt32BE(at) - BALANCE_PROGRAM_BYTES) / 20];
      if (!address) throw new BalanceReadError(bytes.length);
      balances.set(address, (bytes.readBigUInt64BE(at + 4) << 64n) | bytes.readBigUInt64BE(at + 12));
    }
    const blockNumber = Number(bytes.readBigUInt64BE(0));
    return { blockNumber, timestampMs: Number(bytes.readBigUInt64BE(8)) * 1000, addresses, balances };
  };
  return { most, parallelCalls: PARALLEL_CALLS, read };
}

const readingAbi = parseAbi([
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function getEthBalance(address owner) view returns (uint256)',
]);

/** About 8,000 gas and 224 bytes each: together 4 of the 30 million gas that a call may have. */
const MOST_BY_MULTICALL = 500;

/** Reads by Multicall3, which every supported network has: also one `eth_call`, with fewer addresses. */
export function byMulticall(request: RpcRequest, multicall3: Address): BalanceWay {
  const read = async (addresses: readonly Address[]) => {
    const callData: Hex[] = [
      encodeFunctionData({ abi: readingAbi, functionName: 'getBlockNumber' }),
      encodeFunctionData({ abi: readingAbi, functionName: 'getCurrentBlockTimestamp' }),
      ...addresses.map((owner) =>
        encodeFunctionData({ abi: readingAbi, functionName: 'getEthBalance', args: [owner] }),
      ),
    ];
    const calls = callData.map((each) => ({ target: multicall3, allowFailure: false, callData: each }));
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] });
    const returned = (await request({ method: 'eth_call', params: [{ to: multicall3, data }, 'latest'] })) as Hex;
    if (returned === '0x') throw new BalanceReadError(0);
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: returned });
    const [blockNumber = 0n, seconds = 0n, ...sums] = results.map((result) => hexToBigInt(result.returnData));
    return {
      blockNumber: Number(blockNumber),
      timestampMs: Number(seconds) * 1000,
      addresses,
      balances: aboveZero(addresses, sums),
    };
  };
  return { most: MOST_BY_MULTICALL, parallelCalls: PARALLEL_CALLS, read };
}

const MOST_PLAIN = 16;
const PLAIN_TRIES = 10;

/**
 * Reads by one `eth_getBalance` each. Uses the result if the head is the same before and after: the balances are then of its state. Two
 * nodes behind one name may break that briefly; a balance that is ahead of its block then counts as a payment in that block.
 */
export function byPlainCalls(request: RpcRequest): BalanceWay {
  const read = async (addresses: readonly Address[]) => {
    let head = await newestHeader(request);
    for (let tries = 0; tries < PLAIN_TRIES; tries += 1) {
      const sums = await Promise.all(
        addresses.map(async (address) =>
          BigInt((await request({ method: 'eth_getBalance', params: [address, 'latest'] })) as Hex),
        ),
      );
      const after = await newestHeader(request);
      if (after.hash === head.hash) {
        const { number, timestamp } = head;
        const balances = aboveZero(addresses, sums);
        return { blockNumber: Number(number), timestampMs: Number(timestamp) * 1000, addresses, balances };
      }
      head = after;
    }
    throw new ChainUnavailableError('read balances', 'the head moved on each time before all were read');
  };
  // A read takes many requests, and must end before the head moves on.
  return { most: MOST_PLAIN, parallelCalls: 1, read };
}

async function newestHeader(request: RpcRequest): Promise<WireBlock> {
  return (await request({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as WireBlock;
}

function aboveZero(addresses: readonly Address[], sums: readonly bigint[]): ReadonlyMap<Address, bigint> {
  return new Map(
    addresses.map((address, index) => [address, sums[index] ?? 0n] as const).filter(([, wei]) => wei > 0n),
  );
}
