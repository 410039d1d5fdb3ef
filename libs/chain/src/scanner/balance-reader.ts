import type { Address } from 'viem';
import { BALANCE_PROGRAM, BALANCE_PROGRAM_BYTES, MOST_ADDRESSES_PER_CALL } from './balance-program.ts';
import type { RpcRequest } from './rpc-request.ts';
import { isNodeAnswer } from './wire-block.ts';

const FEWEST_ADDRESSES_PER_CALL = 16;
const HEADER_BYTES = 16;
const HIT_BYTES = 20;
// JSON-RPC "limit exceeded" (EIP-1474): too many calls, not too many addresses.
const RATE_LIMITED_CODE = -32005;

/** Balances at the state of one block. */
export interface BalanceReading {
  /** The block whose state was read, as the chain itself said; it may be newer than the scan's cursor. */
  readonly blockNumber: number;
  readonly timestampMs: number;
  /** Every address that was looked at. */
  readonly addresses: readonly Address[];
  /** Balances above zero, wei, by address; an address that is not in it has none. */
  readonly balances: ReadonlyMap<Address, bigint>;
}

/**
 * Reads many native balances by one `eth_call` per about 2,400 addresses, always of the latest state: HyperEVM nodes
 * answer a request for an older one with the latest and do not say so. Halves the size of its calls when the node
 * refuses one (out of gas, body too large) and stays with that.
 */
export class BalanceReader {
  private readonly request: RpcRequest;
  private callSize: number;

  constructor(request: RpcRequest, addressesPerCall = MOST_ADDRESSES_PER_CALL) {
    this.request = request;
    this.callSize = addressesPerCall;
  }

  /** Addresses that one call may hold, as far as is known. */
  get addressesPerCall(): number {
    return this.callSize;
  }

  /** Finds how many addresses one call may hold by reading addresses that nobody owns. @returns that number */
  async probe(): Promise<number> {
    const nobodys = Array.from({ length: this.callSize }, (_, index) => unownedAddress(index));
    await this.readFirst(nobodys);
    return this.callSize;
  }

  /**
   * Reads balances; one reading for each call that was needed, each of its own block.
   * @param addresses in lower case
   */
  async read(addresses: readonly Address[]): Promise<BalanceReading[]> {
    const readings: BalanceReading[] = [];
    for (let from = 0; from < addresses.length; ) {
      const reading = await this.readFirst(addresses.slice(from));
      readings.push(reading);
      from += reading.addresses.length;
    }
    return readings;
  }

  /** Reads as many of the first addresses as one call can. */
  private async readFirst(addresses: readonly Address[]): Promise<BalanceReading> {
    for (;;) {
      const part = addresses.slice(0, this.callSize);
      try {
        return decode(part, await this.call(part));
      } catch (error) {
        if (!isTooLarge(error) || part.length <= FEWEST_ADDRESSES_PER_CALL) throw error;
        this.callSize = Math.max(Math.floor(part.length / 2), FEWEST_ADDRESSES_PER_CALL);
      }
    }
  }

  private async call(addresses: readonly Address[]): Promise<Buffer> {
    const data = `0x${BALANCE_PROGRAM}${addresses.map((address) => address.slice(2)).join('')}`;
    const result = await this.request({ method: 'eth_call', params: [{ data }, 'latest'] });
    const bytes = Buffer.from(String(result).slice(2), 'hex');
    if (bytes.length < HEADER_BYTES || (bytes.length - HEADER_BYTES) % HIT_BYTES !== 0) {
      throw new BalanceReadError(bytes.length);
    }
    return bytes;
  }
}

/** The node answered a balance read with something else: it cannot run creation code in `eth_call`. */
export class BalanceReadError extends Error {
  readonly code = 'BALANCE_READ_FAILED';

  constructor(length: number) {
    super(`the node answered a balance read with ${length} bytes; it must support eth_call without a recipient`);
    this.name = 'BalanceReadError';
  }
}

function decode(addresses: readonly Address[], bytes: Buffer): BalanceReading {
  const balances = new Map<Address, bigint>();
  for (let at = HEADER_BYTES; at < bytes.length; at += HIT_BYTES) {
    const address = addresses[(bytes.readUInt32BE(at) - BALANCE_PROGRAM_BYTES) / 20];
    if (!address) throw new BalanceReadError(bytes.length);
    balances.set(address, (bytes.readBigUInt64BE(at + 4) << 64n) | bytes.readBigUInt64BE(at + 12));
  }
  return {
    blockNumber: Number(bytes.readBigUInt64BE(0)),
    timestampMs: Number(bytes.readBigUInt64BE(8)) * 1000,
    addresses,
    balances,
  };
}

/**
 * Whether a refusal may be about the size of the call. Reading balances cannot fail for a reason of its own, so every
 * answer of the node but a rate limit is taken as one; a node out of reach is not.
 */
function isTooLarge(error: unknown): boolean {
  if (error instanceof Error && 'status' in error) return error.status === 413;
  return isNodeAnswer(error) && error.code !== RATE_LIMITED_CODE;
}

function unownedAddress(index: number): Address {
  return `0x6e6f626f6479${index.toString(16).padStart(28, '0')}`;
}
