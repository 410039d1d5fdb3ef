import { PRICE_SCALE } from '@maker/rules';
import { type Address, parseAbi } from 'viem';
import { callEncoder, decodeOrUndefined, type EventLog, eventReader } from '../decode.ts';
import { all, type Call, type Query } from '../query.ts';
import { type ActiveRange, exactOutput, LAST_TICK, type StepEnd } from './concentrated-math.ts';
import type { EventWeight, OutputRange, PoolPoint } from './pool-history.ts';

/** Events of positions and of the first price; Uniswap V3 and Algebra share them. */
const positionEvents = eventReader(
  parseAbi([
    'event Initialize(uint160 sqrtPriceX96, int24 tick)',
    'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
    'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  ]),
);

/** The first two words of a tick in both shapes. */
const ticksAbi = parseAbi(['function ticks(int24 tick) view returns (uint256 liquidityGross, int128 liquidityNet)']);
const tickData = callEncoder(ticksAbi, 'ticks');

/** Ticks in a word of a pool's bitmap. */
const WORD = 256;

/** Words that are read beyond the prices of the events, on each side. */
const MARGIN_WORDS = 1;

/** Fees of swaps that the chain shows, millionths; both are equal where a pool's fee is fixed. */
export interface FeeRange {
  readonly lowestPpm: bigint;
  readonly highestPpm: bigint;
}

/** The parts of a pool with concentrated liquidity in which shapes differ. */
export interface ConcentratedKind {
  readonly pool: Address;
  /** The state after a trade, by its event; undefined for any other event. */
  swapIn(event: EventLog): ActiveRange | undefined;
  /** Ticks between two bits of the pool's bitmap. */
  readonly bitSpacing: number;
  /** Whether a step of a swap ends at the edge of a word of the bitmap, though no position does. */
  readonly stepsEndAtWords: boolean;
  /** The call for a word of the bitmap. */
  wordData(word: number): Call['data'];
  /** Fees that the events show besides those known. */
  feesIn(fees: FeeRange, events: readonly EventLog[]): FeeRange;
}

/** Liquidity of the positions that begin or end at a tick. */
interface TickLiquidity {
  readonly gross: bigint;
  /** Liquidity that a rising price adds. */
  readonly net: bigint;
}

type Ticks = ReadonlyMap<number, TickLiquidity>;

/** State of a {@link ConcentratedPoint}. */
interface PointState {
  /** Undefined before the first event that shows it. */
  readonly range: ActiveRange | undefined;
  readonly fees: FeeRange;
  /** Words of the bitmap that were read. */
  readonly words: { readonly lowest: number; readonly highest: number } | undefined;
  /** Initialised ticks in these words; undefined until their liquidity was read. */
  readonly ticks: Ticks | undefined;
  /** Ticks whose liquidity is still to be read. */
  readonly unread: readonly number[];
}

interface PositionChange {
  readonly lower: number;
  readonly upper: number;
  /** Negative where liquidity leaves. */
  readonly liquidity: bigint;
}

/** A pool with concentrated liquidity at a point of its history. Swaps never change the liquidity at a tick, only positions do. */
export class ConcentratedPoint implements PoolPoint {
  private readonly kind: ConcentratedKind;
  private readonly state: PointState;

  constructor(kind: ConcentratedKind, state: PointState) {
    this.kind = kind;
    this.state = state;
  }

  /** The newest point, before its ticks are read. */
  static newest(kind: ConcentratedKind, range: ActiveRange, fees: FeeRange): ConcentratedPoint {
    return new ConcentratedPoint(kind, { range, fees, words: undefined, ticks: undefined, unread: [] });
  }

  completed(events: readonly EventLog[]): Query<PoolPoint> | undefined {
    const { words, ticks } = this.state;
    if (!words) return this.withWords(events);
    return ticks ? undefined : this.withTicks();
  }

  before(events: readonly EventLog[]): PoolPoint {
    const changes = events.flatMap(changeIn).map((change) => ({ ...change, liquidity: -change.liquidity }));
    const { range, ticks } = this.state;
    const isMoved = events.some((event) => this.priceAfter(event) !== undefined);
    return this.with({
      range: isMoved ? undefined : changes.reduce(rangeAfter, range),
      ticks: ticks && changes.reduce(ticksAfter, ticks),
    });
  }

  after(event: EventLog): PoolPoint {
    const { range, ticks } = this.state;
    const [change] = changeIn(event);
    if (change) return this.with({ range: rangeAfter(range, change), ticks: ticks && ticksAfter(ticks, change) });
    const moved = this.priceAfter(event);
    return moved ? this.with({ range: moved }) : this;
  }

  output(amountIn: bigint, isFirstIn: boolean): OutputRange | undefined {
    const { range, fees } = this.state;
    if (!range || range.liquidity === 0n) return undefined;
    const stepEnd = (tick: number) => this.stepEnd(tick, isFirstIn);
    const most = exactOutput(range, { amountIn, isFirstIn, feePpm: fees.lowestPpm }, stepEnd);
    const least = exactOutput(range, { amountIn, isFirstIn, feePpm: fees.highestPpm }, stepEnd);
    return least === undefined || most === undefined ? undefined : { least, most };
  }

  reserve(isFirst: boolean): bigint | undefined {
    const { range } = this.state;
    if (!range || range.sqrtPriceX96 === 0n) return undefined;
    const { liquidity, sqrtPriceX96 } = range;
    return isFirst ? (liquidity * PRICE_SCALE) / sqrtPriceX96 : (liquidity * sqrtPriceX96) / PRICE_SCALE;
  }

  private with(changed: Partial<PointState>): ConcentratedPoint {
    return new ConcentratedPoint(this.kind, { ...this.state, ...changed });
  }

  /** Reads which ticks are initialised, around the prices of the events. */
  private withWords(events: readonly EventLog[]): Query<PoolPoint> {
    const { pool, bitSpacing } = this.kind;
    const passed = events.flatMap((event) => this.priceAfter(event)?.tick ?? []);
    const around = [...passed, this.state.range?.tick ?? 0].map((tick) => this.wordOf(tick));
    const last = this.wordOf(LAST_TICK);
    const lowest = Math.max(least(around) - MARGIN_WORDS, -last - 1);
    const highest = Math.min(greatest(around) + MARGIN_WORDS, last);
    const words = Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index);
    return {
      calls: words.map((word) => ({ to: pool, data: this.kind.wordData(word) })),
      decode: (returned) =>
        this.with({
          words: { lowest, highest },
          fees: this.kind.feesIn(this.state.fees, events),
          unread: words.flatMap((word, index) =>
            bitsIn(BigInt(returned[index] || '0x0')).map((bit) => (word * WORD + bit) * bitSpacing),
          ),
        }),
    };
  }

  private withTicks(): Query<PoolPoint> {
    const { unread } = this.state;
    const reads = unread.map(
      (tick): Query<readonly [number, TickLiquidity][]> => ({
        calls: [{ to: this.kind.pool, data: tickData(tick) }],
        decode: ([returned]) => {
          const [gross, net] = decodeOrUndefined(ticksAbi, 'ticks', returned) ?? [0n, 0n];
          return gross === 0n ? [] : [[tick, { gross, net }]];
        },
      }),
    );
    const { calls, decode } = all(reads);
    return { calls, decode: (returned) => this.with({ ticks: new Map(decode(returned).flat()), unread: [] }) };
  }

  private wordOf(tick: number): number {
    return Math.floor(Math.floor(tick / this.kind.bitSpacing) / WORD);
  }

  /** The next end of a step of a swap, inside the known words. */
  private stepEnd(tick: number, isFirstIn: boolean): StepEnd {
    const { bitSpacing, stepsEndAtWords } = this.kind;
    const { words = { lowest: 0, highest: 0 }, ticks = new Map<number, TickLiquidity>() } = this.state;
    const from = Math.floor(tick / bitSpacing) + (isFirstIn ? 0 : 1);
    const word = Math.floor(from / WORD);
    const isKnown = words.lowest <= word && word <= words.highest;
    const [first, last] = stepsEndAtWords ? [word, word] : [words.lowest, words.highest];
    const edge = (isFirstIn ? first * WORD : last * WORD + WORD - 1) * bitSpacing;
    const inside = (one: number) =>
      isFirstIn ? edge <= one && one <= from * bitSpacing : from * bitSpacing <= one && one <= edge;
    const initialised = isKnown ? [...ticks.keys()].filter(inside) : [];
    if (initialised.length === 0) {
      const end = Math.max(-LAST_TICK, Math.min(LAST_TICK, edge));
      return { tick: end, liquidityNet: isKnown && stepsEndAtWords ? 0n : undefined };
    }
    const next = isFirstIn ? greatest(initialised) : least(initialised);
    return { tick: next, liquidityNet: ticks.get(next)?.net };
  }

  private priceAfter(event: EventLog): ActiveRange | undefined {
    const swap = this.kind.swapIn(event);
    if (swap) return swap;
    const [opened] = positionEvents([event]);
    return opened?.eventName === 'Initialize' ? { ...opened.args, liquidity: 0n } : undefined;
  }
}

/** Weight of an event that pools of both shapes have. */
export function positionWeight(event: EventLog): EventWeight | undefined {
  return positionEvents([event]).length > 0 ? 'change' : undefined;
}

function changeIn(event: EventLog): readonly PositionChange[] {
  return positionEvents([event]).flatMap((read) => {
    if (read.eventName === 'Initialize' || read.args.amount === 0n) return [];
    const { tickLower: lower, tickUpper: upper, amount } = read.args;
    return [{ lower, upper, liquidity: read.eventName === 'Mint' ? amount : -amount }];
  });
}

function rangeAfter(range: ActiveRange | undefined, { lower, upper, liquidity }: PositionChange) {
  const isActive = range && lower <= range.tick && range.tick < upper;
  return isActive ? { ...range, liquidity: range.liquidity + liquidity } : range;
}

function ticksAfter(ticks: Ticks, { lower, upper, liquidity }: PositionChange): Ticks {
  const changed = new Map(ticks);
  for (const [tick, net] of [
    [lower, liquidity],
    [upper, -liquidity],
  ] as const) {
    const before = changed.get(tick) ?? { gross: 0n, net: 0n };
    const after = { gross: before.gross + liquidity, net: before.net + net };
    if (after.gross === 0n) changed.delete(tick);
    else changed.set(tick, after);
  }
  return changed;
}

function bitsIn(word: bigint): readonly number[] {
  return Array.from({ length: WORD }, (_, bit) => bit).filter((bit) => (word >> BigInt(bit)) & 1n);
}

function least(values: readonly number[]): number {
  return values.reduce((one, other) => Math.min(one, other));
}

function greatest(values: readonly number[]): number {
  return values.reduce((one, other) => Math.max(one, other));
}
