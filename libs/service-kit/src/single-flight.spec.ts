import { describe, expect, it } from 'vitest';
import { SingleFlight } from './single-flight.ts';

describe('SingleFlight', () => {
  it('shares concurrent work, repeats later work', async () => {
    const flights = new SingleFlight<number>();
    let runs = 0;
    const work = async () => ++runs;
    expect(await Promise.all([flights.run('a', work), flights.run('a', work), flights.run('b', work)])).toEqual([
      1, 1, 2,
    ]);
    expect(await flights.run('a', work)).toBe(3);
  });

  it('rejects all waiting callers, then runs again', async () => {
    const flights = new SingleFlight<number>();
    const fail = () => Promise.reject(new Error('down'));
    const both = await Promise.allSettled([flights.run('a', fail), flights.run('a', fail)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flights.run('a', async () => 7)).toBe(7);
  });
});
