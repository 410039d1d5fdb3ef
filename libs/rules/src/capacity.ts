import { larger, smaller } from './amounts.ts';

const BASIS_POINTS = 10_000n;
const MS_PER_SECOND = 1000;
const MS_PER_HOUR = 3_600_000;
const MINUTES_PER_HOUR = 60n;
const SECONDS_PER_MINUTE = 60n;

/** A rate of use, or its limit: gas of small blocks, and requests of the RPC plan. */
export interface Pace {
  readonly gasPerSecond: bigint;
  readonly requestsPerHour: bigint;
}

export interface CapacityLimits {
  /** Gas limit of a small block, from its header. Source: hyperevm § 1.3. */
  readonly blockGas: bigint;
  /** Time between two small blocks, ms. */
  readonly blockTimeMs: number;
  /** Share of that gas for all jobs, basis points; 10 % by default. Source: design § 4a. */
  readonly shareBps: bigint;
  /** Requests of the RPC plan that are available for orders. */
  readonly requestsPerMinute: bigint;
}

/** Default of {@link CapacityLimits.shareBps}. Source: design § 4a. */
export const BLOCK_SHARE_BPS = 1000n;

export interface OrderUse {
  readonly gas: bigint;
  /** Requests for quote, estimate, sending and the later steps. */
  readonly requests: bigint;
}

/** Zero: the booked pace before the first job. */
export const NO_PACE: Pace = { gasPerSecond: 0n, requestsPerHour: 0n };

/** Computes the capacity of all jobs together. */
export function wholeCapacity({ blockGas, blockTimeMs, shareBps, requestsPerMinute }: CapacityLimits): Pace {
  const blocksPerHour = BigInt(Math.floor(MS_PER_HOUR / blockTimeMs));
  return {
    gasPerSecond: (blockGas * blocksPerHour * shareBps) / (BASIS_POINTS * 3600n),
    requestsPerHour: requestsPerMinute * MINUTES_PER_HOUR,
  };
}

/** Gas that all jobs together may use in any minute: bookings limit the average, this limits each minute. Source: design § 4a. */
export function gasOfMinute({ gasPerSecond }: Pace): number {
  return Number(gasPerSecond * SECONDS_PER_MINUTE);
}

/**
 * Number of orders that may be sent now. If every sender checks it, the transactions of no minute use more than `minuteGas`, even if
 * schedules coincide and blocks include them late: `usedGas` contains all earlier ones of the minute, mined or pending.
 * @param usedGas gas of the transactions of the last minute, and the most that pending ones can use
 * @param orderGas most gas of one order
 */
export function ordersWithin(minuteGas: number, usedGas: number, orderGas: number): number {
  return Math.max(0, Math.floor((minuteGas - usedGas) / orderGas));
}

/** Share of {@link wholeCapacity} above which the service refuses new jobs, basis points. */
const MOST_BOOKED_BPS = 9500n;

/**
 * Whether the service must refuse new jobs because capacity is booked. Each job gets at most half of the free capacity, so it is never
 * fully booked: without this limit, each further job would trade more slowly. Source: design § 4a.
 */
export function isBookedOut(whole: Pace, booked: Pace): boolean {
  const isOver = (used: bigint, all: bigint) => used * BASIS_POINTS > all * MOST_BOOKED_BPS;
  return isOver(booked.gasPerSecond, whole.gasPerSecond) || isOver(booked.requestsPerHour, whole.requestsPerHour);
}

/** The booked pace of one job. */
export interface Booking extends Pace {
  /** Who books: the token, the recipient and the network of the job, each as a key. */
  readonly parties: readonly string[];
  /** Whether the job begins or has begun. Before that its booking costs nothing. */
  readonly isUsed: boolean;
  /** Latest end of the job, ms. */
  readonly endsAtMs: number;
}

/** Share of {@link wholeCapacity} that the jobs of one token, recipient or network may book, basis points. Source: docs/adr/0155. */
const PARTY_SHARE_BPS = 7500n;

/**
 * Pace that counts as booked for a new job of some parties. Bookings without a fee count for at most half of what the others leave, so
 * that they refuse no job. A party that has bookings finds only the rest of its share free.
 * Source: design § 4a, docs/adr/0155.
 */
export function bookedFor(whole: Pace, bookings: readonly Booking[], parties: readonly string[]): Pace {
  return eachResource((resource) => {
    const share = (whole[resource] * PARTY_SHARE_BPS) / BASIS_POINTS;
    const ofParties = parties.flatMap((party) => {
      const theirs = bookings.filter((booking) => booking.parties.includes(party));
      return theirs.length > 0 ? [counted(theirs, resource, share) + whole[resource] - share] : [];
    });
    return ofParties.reduce(larger, counted(bookings, resource, whole[resource]));
  });
}

function counted(bookings: readonly Booking[], resource: keyof Pace, limit: bigint): bigint {
  const sum = (isUsed: boolean) =>
    bookings.reduce((total, booking) => (booking.isUsed === isUsed ? total + booking[resource] : total), 0n);
  const used = sum(true);
  return used + smaller(sum(false), larger((limit - used) / 2n, 0n));
}

/**
 * Time from which new jobs of some parties may be accepted again, ms: the latest ends of the jobs that have booked, one after another,
 * free their pace.
 * @returns undefined if they may be accepted now
 */
export function freeAgainAt(whole: Pace, bookings: readonly Booking[], parties: readonly string[]): number | undefined {
  let left = bookings;
  let freeAtMs: number | undefined;
  while (left.length > 0 && isBookedOut(whole, bookedFor(whole, left, parties))) {
    const next = Math.min(...left.map(({ endsAtMs }) => endsAtMs));
    freeAtMs = next;
    left = left.filter(({ endsAtMs }) => endsAtMs > next);
  }
  return freeAtMs;
}

/** Sum of the bookings, used or not. */
export function bookedPace(bookings: readonly Booking[]): Pace {
  return eachResource((resource) => bookings.reduce((sum, booking) => sum + booking[resource], 0n));
}

/**
 * Pace that counts as booked for a job that was just paid: also bookings without a fee count whole, so that jobs of one minute share
 * what is free. Its agreed pace stays in any case.
 */
export function bookedForPaid(whole: Pace, bookings: readonly Booking[], parties: readonly string[]): Pace {
  const [all, forNew] = [bookedPace(bookings), bookedFor(whole, bookings, parties)];
  return eachResource((resource) => larger(all[resource], forNew[resource]));
}

/** Whether a job that gave its booking back may book its pace again. @param booked see {@link bookedFor} */
export function fitsAgain(whole: Pace, booked: Pace, pace: Pace): boolean {
  return (
    booked.gasPerSecond + pace.gasPerSecond <= whole.gasPerSecond &&
    booked.requestsPerHour + pace.requestsPerHour <= whole.requestsPerHour
  );
}

function eachResource(of: (resource: keyof Pace) => bigint): Pace {
  return { gasPerSecond: of('gasPerSecond'), requestsPerHour: of('requestsPerHour') };
}

/** A job's slot and pace within the free capacity. */
export interface GrantedPace {
  /** Time between two standard orders, ms. */
  readonly slotMs: number;
  /** The pace that the job books until its end. */
  readonly pace: Pace;
}

/**
 * Grants a job its pace: the wanted one if it needs at most half of the free capacity, else that half. The largest job thus
 * leaves room for the next, and a small one never waits for it. A granted pace stays until the job's end, so the end is known
 * before payment. Merged orders use less than the booked pace.
 * Source: design § 4a.
 * @param wantedSlotMs time between two standard orders by the execution window, ms
 * @param booked pace of the jobs that trade now
 * @returns undefined without free capacity, or where a minute's gas is not enough for two orders: one waits for the other's block
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
    // Rounding up must not exceed the free capacity.
    pace: {
      gasPerSecond: smaller(needed.gasPerSecond, gasPerSecond),
      requestsPerHour: smaller(needed.requestsPerHour, requestsPerHour),
    },
  };
}

/**
 * The pace of a job with a paid plan, regardless of the free capacity: its latest end stays. It may exceed the capacity. The
 * service then refuses new jobs, and orders wait for a later minute. Source: design § 4, docs/adr/0027.
 * @param slotMs time between two standard orders in the paid plan, ms
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
