import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BLOCK_SHARE_BPS,
  type Booking,
  bookedFor,
  bookedForPaid,
  bookedPace,
  fitsAgain,
  freeAgainAt,
  gasOfMinute,
  grantPace,
  isBookedOut,
  NO_PACE,
  ordersWithin,
  wholeCapacity,
} from './capacity.ts';

const SMALL_BLOCKS = { blockGas: 3_000_000n, blockTimeMs: 1000, shareBps: BLOCK_SHARE_BPS, requestsPerMinute: 600n };
const ORDER = { gas: 130_000n, requests: 4n };
const whole = wholeCapacity(SMALL_BLOCKS);

describe('the pace of a job (design § 4a)', () => {
  it('all jobs share a tenth of gas and requests', () => {
    expect(whole).toEqual({ gasPerSecond: 300_000n, requestsPerHour: 36_000n });
  });

  it('a small job gets its window’s pace', () => {
    const slotMs = 138_240;
    expect(grantPace(slotMs, ORDER, whole, NO_PACE)).toEqual({
      slotMs,
      pace: { gasPerSecond: 941n, requestsPerHour: 105n },
    });
  });

  it('a large job gets half of the rest', () => {
    const byGas = grantPace(1, ORDER, { ...whole, requestsPerHour: 10n ** 9n }, NO_PACE);
    expect(byGas?.pace.gasPerSecond).toBe(150_000n);
    expect(byGas?.slotMs).toBeCloseTo(866.67);
    const byRequests = grantPace(1, ORDER, { ...whole, requestsPerHour: 3600n }, NO_PACE);
    expect(byRequests?.pace.requestsPerHour).toBe(1800n);
    expect(byRequests?.slotMs).toBe(8000);
  });

  it('gets none where all is booked', () => {
    expect(grantPace(1000, ORDER, whole, whole)).toBeUndefined();
    expect(grantPace(1000, ORDER, whole, { ...NO_PACE, requestsPerHour: 35_999n })).toBeUndefined();
  });

  it('consecutive jobs never overbook or slow small ones', () => {
    const slots = fc.double({ min: 0.1, max: 10_000_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(slots, { maxLength: 80 }), (wanted) => {
        let booked = NO_PACE;
        for (const slotMs of wanted) {
          const granted = grantPace(slotMs, ORDER, whole, booked);
          if (!granted) continue;
          expect(granted.slotMs).toBeGreaterThanOrEqual(slotMs);
          booked = {
            gasPerSecond: booked.gasPerSecond + granted.pace.gasPerSecond,
            requestsPerHour: booked.requestsPerHour + granted.pace.requestsPerHour,
          };
        }
        expect(booked.gasPerSecond).toBeLessThanOrEqual(whole.gasPerSecond);
        expect(booked.requestsPerHour).toBeLessThanOrEqual(whole.requestsPerHour);
      }),
    );
    const largest = grantPace(0.05, ORDER, whole, NO_PACE);
    expect(grantPace(138_240, ORDER, whole, largest?.pace ?? NO_PACE)?.slotMs).toBe(138_240);
  });
});

it('rejects jobs above the bookable share', () => {
  const all = { gasPerSecond: 1000n, requestsPerHour: 200n };
  expect(isBookedOut(all, { gasPerSecond: 950n, requestsPerHour: 190n })).toBe(false);
  expect(isBookedOut(all, { gasPerSecond: 951n, requestsPerHour: 0n })).toBe(true);
  expect(isBookedOut(all, { gasPerSecond: 0n, requestsPerHour: 191n })).toBe(true);
});

describe('bookings (docs/adr/0155)', () => {
  const all = { gasPerSecond: 1000n, requestsPerHour: 2000n };
  const pace = (percent: bigint) => ({ gasPerSecond: 10n * percent, requestsPerHour: 20n * percent });
  const of = (percent: bigint, more: Partial<Booking> = {}): Booking => ({
    ...pace(percent),
    parties: [],
    isUsed: true,
    endsAtMs: 0,
    ...more,
  });
  const waiting = { isUsed: false };

  it('count whole with a fee, half of the rest without', () => {
    expect(bookedFor(all, [], [])).toEqual(NO_PACE);
    expect(bookedFor(all, [of(30n), of(20n)], [])).toEqual(pace(50n));
    expect(bookedFor(all, [of(30n), of(20n, waiting)], [])).toEqual(pace(50n));
    expect(bookedFor(all, [of(30n), of(90n, waiting), of(90n, waiting)], [])).toEqual(pace(65n));
    expect(bookedFor(all, [of(120n), of(90n, waiting)], [])).toEqual(pace(120n));
    expect(bookedPace([of(30n), of(90n, waiting)])).toEqual(pace(120n));
  });

  it('count whole for a job that is paid', () => {
    const made = [of(30n), of(40n, { ...waiting, parties: ['a'] })];
    expect(bookedForPaid(all, made, ['b'])).toEqual(pace(70n));
    expect(bookedForPaid(all, [of(50n, { parties: ['a'] })], ['a'])).toEqual(pace(75n));
  });

  it('without a fee refuse no job, however many', () => {
    const bookings = fc.array(fc.record({ percent: fc.bigInt(0n, 100n), party: fc.constantFrom('a', 'b') }));
    fc.assert(
      fc.property(bookings, fc.subarray(['a', 'b', 'c']), (made, parties) => {
        const unused = made.map(({ percent, party }) => of(percent, { ...waiting, parties: [party] }));
        expect(isBookedOut(all, bookedFor(all, unused, parties))).toBe(false);
      }),
    );
  });

  it('leave others a quarter, whatever one party books', () => {
    const theirs = [of(50n, { parties: ['a', 'x'] }), of(12n, { parties: ['b', 'x'] })];
    expect(bookedFor(all, theirs, ['c'])).toEqual(pace(62n));
    expect(bookedFor(all, theirs, ['a'])).toEqual(pace(75n));
    expect(bookedFor(all, theirs, ['c', 'x'])).toEqual(pace(87n));
    const full = [...theirs, of(9n, { parties: ['x'] })];
    expect(isBookedOut(all, bookedFor(all, full, ['x']))).toBe(true);
    expect(isBookedOut(all, bookedFor(all, full, ['c']))).toBe(false);
  });

  it('are free again at the ends of jobs', () => {
    const two = [of(60n, { endsAtMs: 9, parties: ['a'] }), of(36n, { endsAtMs: 5, parties: ['b'] })];
    expect(freeAgainAt(all, two, [])).toBe(5);
    expect(freeAgainAt(all, [of(20n, { endsAtMs: 4, parties: ['a'] }), ...two], ['a'])).toBe(5);
    expect(freeAgainAt(all, two, ['a'])).toBe(5);
    expect(freeAgainAt(all, [of(71n, { endsAtMs: 9, parties: ['a'] })], ['a'])).toBe(9);
    expect(freeAgainAt(all, [of(95n)], [])).toBeUndefined();
  });

  it('are made again only within the free capacity', () => {
    expect(fitsAgain(all, pace(60n), pace(40n))).toBe(true);
    expect(fitsAgain(all, { ...pace(60n), gasPerSecond: 601n }, pace(40n))).toBe(false);
    expect(fitsAgain(all, { ...pace(60n), requestsPerHour: 1201n }, pace(40n))).toBe(false);
  });
});

describe('the share of any minute (design § 4a)', () => {
  const minuteGas = gasOfMinute(whole);

  it('is 138 orders of 130,000 gas a minute', () => {
    expect(minuteGas).toBe(18_000_000);
    expect(ordersWithin(minuteGas, 0, 130_000)).toBe(138);
    expect(ordersWithin(minuteGas, 17_800_000, 130_000)).toBe(1);
    expect(ordersWithin(minuteGas, 18_100_000, 130_000)).toBe(0);
  });

  it('holds for any due orders and late blocks', () => {
    // One second of the chain: due orders, seconds that each waits for its block, and the used part of its gas.
    const second = fc.record({
      due: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
      waits: fc.integer({ min: 1, max: 120 }),
      usesPercent: fc.integer({ min: 70, max: 100 }),
    });
    const limit = 162_500;
    fc.assert(
      fc.property(fc.array(second, { minLength: 60, maxLength: 300 }), (seconds) => {
        const sent: { minedAt: number; gas: number }[] = [];
        let waiting = 0;
        for (const [now, { due, waits, usesPercent }] of seconds.entries()) {
          const used = sent.reduce(
            (sum, { minedAt, gas }) => sum + (minedAt > now ? limit : minedAt > now - 60 ? gas : 0),
            0,
          );
          waiting += due;
          const orders = Math.min(waiting, ordersWithin(minuteGas, used, limit));
          waiting -= orders;
          for (let order = 0; order < orders; order++)
            sent.push({ minedAt: now + waits, gas: (limit * usesPercent) / 100 });
        }
        for (let end = 0; end < seconds.length + 120; end++) {
          const minute = sent.filter(({ minedAt }) => minedAt > end - 60 && minedAt <= end);
          expect(minute.reduce((sum, { gas }) => sum + gas, 0)).toBeLessThanOrEqual(minuteGas);
        }
      }),
    );
  });

  it('gives no pace without room for an order', () => {
    const large = { ...ORDER, gas: 150_000n };
    expect(grantPace(138_240, large, { ...whole, gasPerSecond: 5000n }, NO_PACE)).toBeDefined();
    expect(grantPace(138_240, large, { ...whole, gasPerSecond: 4999n }, NO_PACE)).toBeUndefined();
  });
});
