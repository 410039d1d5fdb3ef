import type { EventLog } from './purchase-proof.ts';

/** What a purchase did to its pool. Prices are wei for the token's smallest unit, times 2^96, without the pool's fee. */
export interface PoolTrade {
  readonly priceBeforeX96: bigint;
  readonly priceAfterX96: bigint;
  /** What of the trade was the pool's fee, wei. */
  readonly poolFeeWei: bigint;
}

/** What is known of the one trade of a transaction. */
export interface TradeEvidence {
  /** The event by which the pool tells of it. */
  readonly swap: EventLog;
  /** All events of the transaction. */
  readonly logs: readonly EventLog[];
  /** Of a pool with a fixed fee, in hundredths of a basis point. */
  readonly feeTier?: number | undefined;
}

/** What went into a pool and what came out of it. */
export interface TradeAmounts {
  readonly inWei: bigint;
  readonly outTokens: bigint;
}
