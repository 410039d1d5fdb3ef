import { type PoolSample, type PoolState, sampleAmounts } from './pool-curve.ts';

/** A pool that can be traded with, as the exact mathematics of its shape has it. */
export interface TestPool {
  /** Tokens for HYPE in one swap, without trading. */
  quote(inWei: bigint): bigint;
  /** Trades, and stays where that moves it. @returns tokens */
  buy(inWei: bigint): bigint;
}

/** `x × y = k` with a fee that stays in the pool: Uniswap V2, and with another fee Camelot. @param feePpm millionths */
export function constantProduct(hypeWei: bigint, tokens: bigint, feePpm = 3000n): TestPool {
  let [x, y] = [hypeWei, tokens];
  const quote = (inWei: bigint) => {
    const counted = inWei * (1_000_000n - feePpm);
    return (counted * y) / (x * 1_000_000n + counted);
  };
  return {
    quote,
    buy(inWei) {
      const out = quote(inWei);
      x += inWei;
      y -= out;
      return out;
    },
  };
}

/** Liquidity up to a square root of the price, in wei for one unit of the token. */
export interface LiquidityRange {
  readonly liquidity: number;
  readonly upToRoot: number;
}

/** Uniswap V3 with liquidity in ranges one above the other; the fee does not join it. */
export function concentrated(root: number, ranges: readonly LiquidityRange[], feePpm = 3000): TestPool {
  let now = root;
  const swap = (inWei: bigint) => {
    let left = (Number(inWei) * (1_000_000 - feePpm)) / 1_000_000;
    let at = now;
    let out = 0;
    for (const { liquidity, upToRoot } of ranges) {
      if (at >= upToRoot) continue;
      const next = Math.min(upToRoot, at + left / liquidity);
      out += liquidity * (1 / at - 1 / next);
      left -= liquidity * (next - at);
      at = next;
      if (left <= 0) break;
    }
    return { out: BigInt(Math.floor(out)), at };
  };
  return {
    quote: (inWei) => swap(inWei).out,
    buy(inWei) {
      const { out, at } = swap(inWei);
      now = at;
      return out;
    },
  };
}

/** What libs/chain reads of a pool. */
export function stateOf(pool: TestPool, budgetWei: bigint, orderGas = 130_000n, exchange = 'hyperswap-v2'): PoolState {
  const samples: PoolSample[] = sampleAmounts(budgetWei).map((inWei) => ({ inWei, tokens: pool.quote(inWei) }));
  return { exchange, orderGas, samples };
}
