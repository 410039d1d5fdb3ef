import { type Address, type Hex, parseAbi } from 'viem';
import { eventReader } from '../decode.ts';
import { type ExchangeEntry, poolIn } from './exchange-entry.ts';
import { pairQuery } from './pair.ts';
import type { EventLog, PoolTradeEvent, Purchase, PurchaseProof } from './purchase-proof.ts';

const swapEvent = parseAbi([
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
]);
const swapsIn = eventReader(swapEvent);

/** A swap of native HYPE along a path, as the routers of pairs take it. */
export interface PathSwap {
  readonly minimumTokens: bigint;
  readonly path: readonly Address[];
  readonly recipient: Address;
  readonly deadlineSeconds: bigint;
  readonly aside?: string;
}

/** The proof of exchanges of pairs, which differ in their calls alone. @param readSwap reads the call of one of them */
export function pairProof(readSwap: (input: Hex) => PathSwap | undefined): PurchaseProof {
  return {
    readPurchase(input) {
      const swap = readSwap(input);
      return swap && directPurchase(swap);
    },
    poolOf: (exchange: ExchangeEntry, { tokenIn, tokenOut }: Purchase) => ({
      calls: [pairQuery(exchange, tokenOut, tokenIn)],
      decode: ([returned]) => poolIn(returned),
    }),
    tradesIn: pairTrades,
  };
}

/** A longer path goes through pools that nothing is known of. */
function directPurchase({ path, ...swap }: PathSwap): Purchase | undefined {
  const [tokenIn, tokenOut] = path;
  if (path.length !== 2 || !tokenIn || !tokenOut) return undefined;
  return { ...swap, tokenIn, tokenOut, amountInWei: null };
}

/** Trades that pairs tell of. */
export function pairTrades(logs: readonly EventLog[]): readonly PoolTradeEvent[] {
  return swapsIn(logs).map(({ address, args: { amount0In, amount1In, amount0Out, amount1Out } }) => ({
    pool: address,
    amount0In,
    amount1In,
    amount0Out,
    amount1Out,
  }));
}
