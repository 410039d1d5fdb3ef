import { type Address, parseAbi, parseEventLogs } from 'viem';
import type { LogFact } from './chain-facts.ts';

const transferAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);

/** The events by which a pool says that it was traded with: of the V2 shapes, and of V3. */
const swapAbi = parseAbi([
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
]);

/** One movement of a token. Addresses in lower case. */
export interface Movement {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/** How a transaction moved a token, by the token's own events. */
export function movementsOf(logs: readonly LogFact[], token: Address): readonly Movement[] {
  const own = logs.filter(({ address }) => address === token.toLowerCase());
  return parseEventLogs({ abi: transferAbi, logs: own as never }).map(({ args }) => ({
    from: lower(args.from),
    to: lower(args.to),
    amount: args.value,
  }));
}

/** A trade, as the contract that it was made with tells of it. */
export interface PoolSale {
  /** In lower case. */
  readonly pool: Address;
  /** Of whichever of its two tokens left it. */
  readonly sold: bigint;
}

/** What contracts say was bought from them in a transaction. A token may say such things as well while it is moved; the pool does so last. */
export function salesIn(logs: readonly LogFact[]): readonly PoolSale[] {
  return parseEventLogs({ abi: swapAbi, logs: logs as never }).map(({ address, args }) => ({
    pool: lower(address),
    sold: 'amount0Out' in args ? args.amount0Out + args.amount1Out : -(args.amount0 < 0n ? args.amount0 : args.amount1),
  }));
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
