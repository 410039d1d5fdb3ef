import { PRICE_SCALE } from '@maker/rules';
import { type Address, type Hex, parseAbi } from 'viem';
import { type EventLog, eventReader } from '../decode.ts';
import { type ExchangeEntry, poolIn } from './exchange-entry.ts';
import type {
  PoolTrade,
  PoolTradeEvent,
  Purchase,
  PurchaseProof,
  TradeAmounts,
  TradeEvidence,
} from './exchange-shape.ts';
import { pairQuery } from './pair.ts';

const swapsIn = eventReader(
  parseAbi([
    'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  ]),
);
const reservesIn = eventReader(parseAbi(['event Sync(uint112 reserve0, uint112 reserve1)']));

/** A swap of native HYPE along a path, with the arguments of pairs' routers. */
export interface PathSwap {
  readonly minimumTokens: bigint;
  readonly path: readonly Address[];
  readonly recipient: Address;
  readonly deadlineSeconds: bigint;
  readonly aside?: string;
}

/** Creates the proof for exchanges of pairs, which differ only in their calls. @param readSwap reads the call of one exchange */
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

/** Returns the purchase of a path of two tokens: a longer path uses unknown pools. */
function directPurchase({ path, ...swap }: PathSwap): Purchase | undefined {
  const [tokenIn, tokenOut] = path;
  if (path.length !== 2 || !tokenIn || !tokenOut) return undefined;
  return { ...swap, tokenIn, tokenOut, amountInWei: null };
}

/** Trades in the events of pairs. */
function pairTrades(logs: readonly EventLog[]): readonly PoolTradeEvent[] {
  return swapsIn(logs).map(({ address, args: { amount0In, amount1In, amount0Out, amount1Out } }) => ({
    pool: address,
    amount0In,
    amount1In,
    amount0Out,
    amount1Out,
  }));
}

/** Computes the effect of a trade on a pair, from the reserves in the pair's event: they show the fee. */
export function pairTradeOf({ swap, logs }: TradeEvidence): PoolTrade | undefined {
  const [trade] = pairTrades([swap]);
  const sync = reservesIn(logs).at(-1);
  if (!trade || !sync) return undefined;
  const { reserve0, reserve1 } = sync.args;
  const isFirstIn = trade.amount0In > 0n;
  const { inWei, outTokens }: TradeAmounts = isFirstIn
    ? { inWei: trade.amount0In, outTokens: trade.amount1Out }
    : { inWei: trade.amount1In, outTokens: trade.amount0Out };
  const [wrappedAfter, tokensAfter] = isFirstIn ? [reserve0, reserve1] : [reserve1, reserve0];
  const wrappedBefore = wrappedAfter - inWei;
  const tokensBefore = tokensAfter + outTokens;
  if (outTokens <= 0n || wrappedBefore <= 0n || tokensAfter <= 0n) return undefined;
  // The input that x × y = k needs for these tokens, rounded up; the rest of the input is the fee.
  const neededWei = (outTokens * wrappedBefore + tokensAfter - 1n) / tokensAfter;
  return {
    priceBeforeX96: (wrappedBefore * PRICE_SCALE) / tokensBefore,
    priceAfterX96: (wrappedAfter * PRICE_SCALE) / tokensAfter,
    poolFeeWei: neededWei < inWei ? inWei - neededWei : 0n,
  };
}
