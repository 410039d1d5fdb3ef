import { type Address, type Hex, parseAbi, parseEventLogs, toEventSelector } from 'viem';
import type { LogFact } from './chain-facts.ts';

const transferAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);

/** The events by which a pool says that it was traded with: of the V2 shapes, and of V3. */
const SWAPS: readonly Hex[] = [
  toEventSelector('event Swap(address,uint256,uint256,uint256,uint256,address)'),
  toEventSelector('event Swap(address,address,int256,int256,uint160,uint128,int24)'),
];

/** One movement of a token. Addresses in lower case. */
export interface Movement {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/** How a transaction moved a token, by the token's own events. */
export function movementsOf(logs: readonly LogFact[], token: Address): readonly Movement[] {
  const own = logs.filter(({ address }) => address === token.toLowerCase());
  return parseEventLogs({ abi: transferAbi, eventName: 'Transfer', logs: own as never }).map(({ args }) => ({
    from: lower(args.from),
    to: lower(args.to),
    amount: args.value,
  }));
}

/** Contracts that say that they were traded with in a transaction. */
export function poolsIn(logs: readonly LogFact[]): ReadonlySet<Address> {
  return new Set(logs.filter(({ topics: [topic] }) => topic && SWAPS.includes(topic)).map(({ address }) => address));
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
