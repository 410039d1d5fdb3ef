import type { Log } from 'viem';
import type { EventLog } from '../decode.ts';
import type { PoolTrade, PoolTradeEvent } from '../shapes/exchange-shape.ts';
import { PURCHASE_PROOFS, tradeOf } from '../shapes/shapes.ts';

/**
 * The effect of a transaction's only purchase on its pool, from the pool's own events.
 * @param receipt only its logs are read
 * @param feeTier of a pool with a fixed fee, in hundredths of a basis point; other pools' events show the fee
 * @returns undefined where no pool's event shows a purchase
 */
export function poolTradeOf(receipt: { readonly logs: readonly Log[] }, feeTier?: number): PoolTrade | undefined {
  const last = lastTrade(receipt);
  return last && tradeOf({ swap: last.swap, logs: receipt.logs, feeTier });
}

/**
 * Tokens that the pool of a transaction's only purchase gave, by its event: an upper bound of the bought tokens, even if the token's own
 * events show more. @returns in the token's smallest unit; undefined where no pool's event shows a purchase
 */
export function tokensFromPool(receipt: { readonly logs: readonly Log[] }): bigint | undefined {
  const trade = lastTrade(receipt)?.trade;
  // Only one side leaves the pool.
  return trade && trade.amount0Out + trade.amount1Out;
}

/** Finds the last trade. A token may emit false trade events during its transfer; the pool emits its own event after its last call. */
function lastTrade({ logs }: { readonly logs: readonly Log[] }) {
  for (const swap of logs.toReversed()) {
    const trade = firstTradeIn(swap);
    if (trade) return { swap, trade };
  }
  return undefined;
}

function firstTradeIn(log: EventLog): PoolTradeEvent | undefined {
  for (const proof of PURCHASE_PROOFS) {
    const [trade] = proof.tradesIn([log]);
    if (trade) return trade;
  }
  return undefined;
}
