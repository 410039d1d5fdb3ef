import { smaller } from './amounts.ts';

const BASIS_POINTS = 10_000n;
const MS_PER_SECOND = 1000;
const MS_PER_HOUR = 3_600_000;
const MINUTES_PER_HOUR = 60n;
const SECONDS_PER_MINUTE = 60n;

/** How fast something is used, or may be: gas of small blocks, and requests of the RPC plan. */
export interface Pace {
  readonly gasPerSecond: bigint;
  readonly requestsPerHour: bigint;
}

export interface CapacityLimits {
  /** Gas limit of a small block, from its header. Source: hyperevm § 1.3. */
  readonly blockGas: bigint;
  /** Time between two small blocks, ms. */
  readonly blockTimeMs: number;
  /** Share of that gas, basis points; 10 % by default. Source: design § 4a. */
  readonly shareBps: bigint;
  /** Requests that the RPC plan leaves to orders. */
  readonly requestsPerMinute: bigint;
}

/** Default of {@link CapacityLimits.shareBps}. Source: design § 4a. */
export const BLOCK_SHARE_BPS = 1000n;

export interface OrderUse {
  readonly gas: bigint;
  /** Quote, estimate, sending and what follows of it. */
  readonly requests: bigint;
}

/** No pace: what is booked before the first job. */
export const NO_PACE: Pace = { gasPerSecond: 0n, requestsPerHour: 0n };

/** The pace of all jobs together. */
export function wholeCapacity({ blockGas, blockTimeMs, shareBps, requestsPerMinute }: CapacityLimits): Pace {
  const blocksPerHour = BigInt(Math.floor(MS_PER_HOUR / blockTimeMs));
  return {
    gasPerSecond: (blockGas * blocksPerHour * shareBps) / (BASIS_POINTS * 3600n),
    requestsPerHour: requestsPerMinute * MINUTES_PER_HOUR,
  };
}

/** Gas of any minute that all jobs together may use: what is booked holds on average, this in each. Source: design § 4a. */
export function gasOfMinute({ gasPerSecond }: Pace): number {
  return Number(gasPerSecond * SECONDS_PER_MINUTE);
}

/**
 * How many orders may be sent now. Where all who send ask this, the transactions of no minute use more than `minuteGas`, whenever
 * schedules meet and blocks take them: those before it in a minute were in it already, or still under way.
 * @param usedGas by transactions of the last minute, and by those under way at most
 * @param orderGas of one of them at most
 */
export function ordersWithin(minuteGas: number, usedGas: number, orderGas: number): number {
  return Math.max(0, Math.floor((minuteGas - usedGas) / orderGas));
}

/** Share of {@link wholeCapacity} that may be booked before new jobs are refused, basis points. */
const MOST_BOOKED_BPS = 9500n;

/**
 * Whether so much is booked that no further job is taken. Each job gets at most half of what is free, so that all of it is never
 * booked: without this, the last of many would trade ever more slowly. Source: design § 4a.
 */
export function isBookedOut(whole: Pace, booked: Pace): boolean {
  const isOver = (used: bigint, all: bigint) => used * BASIS_POINTS > all * MOST_BOOKED_BPS;
  return isOver(booked.gasPerSecond, whole.gasPerSecond) || isOver(booked.requestsPerHour, whole.requestsPerHour);
}

/** A place in the schedule that capacity has room for. */
export interface GrantedPace {
  /** Time between two standard orders, ms. */
  readonly slotMs: number;
  /** What the job books with it, until its end. */
  readonly pace: Pace;
}

/**
 * The pace that a job gets. It is the one asked for where that takes at most half of what is free, and half of what is
 * free otherwise: so the largest job always leaves room for the next, and a small one never waits for it. A pace that was
 * granted stays until the job's end, which therefore can be told before payment. Merged orders use less than is booked.
 * Source: design § 4a.
 * @param wantedSlotMs time between two standard orders that the execution window asks for, ms
 * @param booked by the jobs that trade now
 * @returns undefined where nothing is free, or where a minute's gas is not enough for two orders: one waits for the other's block
 */
export function grantPace(wantedSlotMs: number, use: OrderUse, whole: Pace, booked: Pace): GrantedPace | undefined {
  const gasPerSecond = (whole.gasPerSecond - booked.gasPerSecond) / 2n;
  const requestsPerHour = (whole.requestsPerHour - booked.requestsPerHour) / 2n;
  if (gasPerSecond <= 0n || requestsPerHour <= 0n || 2n * use.gas > whole.gasPerSecond * SECONDS_PER_MINUTE)
    return undefined;
  const slotMs = Math.max(
    wantedSlotMs,
    (Number(use.gas) * MS_PER_SECOND) / Number(gasPerSecond),
    (Number(use.requests) * MS_PER_HOUR) / Number(requestsPerHour),
  );
  const needed = paceOf(slotMs, use);
  return {
    slotMs,
    // Rounding up must not take a unit more than there is.
    pace: {
      gasPerSecond: smaller(needed.gasPerSecond, gasPerSecond),
      requestsPerHour: smaller(needed.requestsPerHour, requestsPerHour),
    },
  };
}

/**
 * The pace of a job whose plan was shown and paid, whatever is free by now: its latest end stays. It may book more than there is;
 * nobody new is taken then, and orders wait for each other's minutes. Source: design § 4, docs/adr/0027.
 * @param slotMs time between two standard orders that was shown, ms
 */
export function agreedPace(slotMs: number, use: OrderUse): GrantedPace {
  return { slotMs, pace: paceOf(slotMs, use) };
}

function paceOf(slotMs: number, { gas, requests }: OrderUse): Pace {
  return {
    gasPerSecond: BigInt(Math.ceil((Number(gas) * MS_PER_SECOND) / slotMs)),
    requestsPerHour: BigInt(Math.ceil((Number(requests) * MS_PER_HOUR) / slotMs)),
  };
}
