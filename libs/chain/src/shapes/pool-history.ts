import type { Address } from 'viem';
import type { EventLog } from '../decode.ts';
import type { Query } from '../query.ts';
import type { Pool } from './exchange-adapter.ts';
import type { ExchangeEntry } from './exchange-entry.ts';

/** Output of a quote: one amount if the chain shows it, else the bounds that the chain shows. In the token's smallest unit. */
export interface OutputRange {
  readonly least: bigint;
  readonly most: bigint;
}

/**
 * A pool at one point of its history. HyperEVM's endpoints serve state at the newest block only, but logs of all blocks. So a verifier
 * takes the newest state, takes it back to the beginning of the searched blocks, and moves it past one event after the other.
 */
export interface PoolPoint {
  /** The next facts at the newest block that these events make necessary. @returns undefined if none is missing */
  completed(events: readonly EventLog[]): Query<PoolPoint> | undefined;
  /** The point before the first of all events between it and this one, which is the newest. */
  before(events: readonly EventLog[]): PoolPoint;
  /** The point after an event of the pool. */
  after(event: EventLog): PoolPoint;
  /** Output for an exact input. @returns undefined if neither events nor the newest state show it */
  output(amountIn: bigint, isFirstIn: boolean): OutputRange | undefined;
}

/** Reads the pools of one shape for their history. */
export interface PoolHistory<Entry extends ExchangeEntry> {
  /** All pools of a token against wrapped HYPE that the factory names. */
  poolsOf(exchange: Entry, token: Address): Query<readonly Pool[]>;
  /** The newest point. @returns undefined if the contract answers in another form */
  newest(exchange: Entry, pool: Pool): Query<PoolPoint | undefined>;
}

/** An output that the chain shows exactly. */
export function exactly(amount: bigint): OutputRange {
  return { least: amount, most: amount };
}
