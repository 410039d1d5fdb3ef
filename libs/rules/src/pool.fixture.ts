import { type PoolSample, type PoolState, sampleAmounts } from './pool-curve.ts';

/** A pool for tests with the exact formulas of its shape. */
export interface TestPool {
  /** Quotes one swap without trading. @returns tokens */
  quote(inWei: bigint): bigint;
  /** Trades, and keeps the moved price. @returns tokens */
  buy(inWei: bigint): bigint;
}

/** `x × y = k` with a fee that stays in the pool: Uniswap V2, or Camelot with another fee. @param feePpm millionths */
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

/** Uniswap V3 with liquidity in adjacent price ranges; the fee does not add to the liquidity. */
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

/** The state that libs/chain reads from a pool. */
export function stateOf(pool: TestPool, budgetWei: bigint, orderGas = 130_000n, exchange = 'hyperswap-v2'): PoolState {
  const samples: PoolSample[] = sampleAmounts(budgetWei).map((inWei) => ({ inWei, tokens: pool.quote(inWei) }));
  return { exchange, orderGas, samples };
}
