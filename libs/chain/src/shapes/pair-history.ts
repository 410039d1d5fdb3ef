import { parseAbi } from 'viem';
import { type EventLog, eventReader } from '../decode.ts';
import { type EventWeight, exactly, type OutputRange, type PoolPoint } from './pool-history.ts';

const reservesIn = eventReader(parseAbi(['event Sync(uint112 reserve0, uint112 reserve1)']));

/** Reserves of a pair, in the smallest units. */
export interface Reserves {
  readonly reserve0: bigint;
  readonly reserve1: bigint;
}

/** A swap's reserves by its direction. */
export interface PairDirection {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
}

/** The facts of a pair that are not its reserves, such as fees that change. */
export interface PairRules<Rules> {
  /** The rules before the first of these events; undefined if no event shows them. */
  before(rules: Rules, events: readonly EventLog[]): Rules | undefined;
  after(rules: Rules | undefined, event: EventLog): Rules | undefined;
  output(amountIn: bigint, isFirstIn: boolean, direction: PairDirection, rules: Rules): bigint | undefined;
}

/** Weight of an event that every pair has. */
export function pairWeight(event: EventLog): EventWeight | undefined {
  return reservesIn([event]).length > 0 ? 'state' : undefined;
}

/** A pair at a point of its history: each change of its reserves emits both. */
export class PairPoint<Rules> implements PoolPoint {
  private readonly kind: PairRules<Rules>;
  private readonly reserves: Reserves | undefined;
  private readonly rules: Rules | undefined;

  constructor(kind: PairRules<Rules>, reserves: Reserves | undefined, rules: Rules | undefined) {
    this.kind = kind;
    this.reserves = reserves;
    this.rules = rules;
  }

  /** The newest state of a pair has all that its events do not show. */
  completed(): undefined {
    return undefined;
  }

  before(events: readonly EventLog[]): PoolPoint {
    const reserves = reservesIn(events).length > 0 ? undefined : this.reserves;
    return new PairPoint(this.kind, reserves, this.rules && this.kind.before(this.rules, events));
  }

  after(event: EventLog): PoolPoint {
    const reserves = reservesIn([event])[0]?.args ?? this.reserves;
    return new PairPoint(this.kind, reserves, this.kind.after(this.rules, event));
  }

  output(amountIn: bigint, isFirstIn: boolean): OutputRange | undefined {
    if (!this.reserves || this.rules === undefined) return undefined;
    const { reserve0, reserve1 } = this.reserves;
    const direction = isFirstIn
      ? { reserveIn: reserve0, reserveOut: reserve1 }
      : { reserveIn: reserve1, reserveOut: reserve0 };
    const amount = this.kind.output(amountIn, isFirstIn, direction, this.rules);
    return amount === undefined ? undefined : exactly(amount);
  }

  reserve(isFirst: boolean): bigint | undefined {
    return isFirst ? this.reserves?.reserve0 : this.reserves?.reserve1;
  }
}
