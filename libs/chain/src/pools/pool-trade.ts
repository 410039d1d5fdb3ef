import type { Log } from 'viem';
import type { EventLog } from '../decode.ts';
import type { PoolTrade, PoolTradeEvent } from '../shapes/exchange-shape.ts';
import { PURCHASE_PROOFS, tradeOf } from '../shapes/shapes.ts';

/**
 * What a transaction's one purchase did to its pool, as the pool's own events tell.
 * @param receipt only its logs are read
 * @param feeTier of a pool with a fixed fee, in hundredths of a basis point; of others the fee shows in their events
 * @returns undefined where no pool tells of a purchase
 */
export function poolTradeOf(receipt: { readonly logs: readonly Log[] }, feeTier?: number): PoolTrade | undefined {
  const last = lastTrade(receipt);
  return last && tradeOf({ swap: last.swap, logs: receipt.logs, feeTier });
}

/**
 * Tokens that the pool of a transaction's one purchase says it gave for it: more cannot have been bought, whatever the token's own
 * events say. @returns in the token's smallest unit; undefined where no pool tells of a purchase
 */
export function tokensFromPool(receipt: { readonly logs: readonly Log[] }): bigint | undefined {
  const trade = lastTrade(receipt)?.trade;
  // One side alone leaves the pool.
  return trade && trade.amount0Out + trade.amount1Out;
}

/** A token may tell of trades that never were, while it is moved; the pool tells of its own after that, and nobody is called then. */
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
