import type { Address } from 'viem';
import type { EventLog } from '../decode.ts';
import type { Query } from '../query.ts';
import type { Pool } from './exchange-adapter.ts';
import type { ExchangeEntry } from './exchange-entry.ts';

/**
 * The weight of an event: `state` sets price or reserves, whatever was before; `fee` shows a fee, so equal ones add nothing; `change` adds
 * to what was before. Other events change no output.
 */
export type EventWeight = 'state' | 'fee' | 'change';

/** Usual gas of an order, which ranks pools (design § 4a). */
export interface OrderGas {
  /** Of a wallet's first order, measured with a plain token. */
  readonly first: bigint;
  /** Of a wallet that has the token, measured. */
  readonly later: bigint;
}

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
  /** Reserve of a token, virtual where liquidity is concentrated, in the smallest unit. @returns undefined if it is not shown */
  reserve(isFirst: boolean): bigint | undefined;
}

/** Reads the pools of one shape for their history. */
export interface PoolHistory<Entry extends ExchangeEntry> {
  readonly orderGas: OrderGas;
  /** @returns undefined for an event that changes no output */
  weightOf(event: EventLog): EventWeight | undefined;
  /** All pools of a token against wrapped HYPE that the factory names. */
  poolsOf(exchange: Entry, token: Address): Query<readonly Pool[]>;
  /** The newest point. @returns undefined if the contract answers in another form */
  newest(exchange: Entry, pool: Pool): Query<PoolPoint | undefined>;
}

/** An output that the chain shows exactly. */
export function exactly(amount: bigint): OutputRange {
  return { least: amount, most: amount };
}
