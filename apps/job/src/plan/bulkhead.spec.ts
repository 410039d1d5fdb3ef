import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Bulkhead } from './bulkhead.ts';

const full = () => new Error('full');

it('rejects immediately when full and frees its place', async () => {
  const places = new Bulkhead(2);
  let done = 0;
  const work = async () => {
    await setImmediate();
    done += 1;
    if (done === 1) throw new Error('the first one');
  };
  const ends = await Promise.allSettled([1, 2, 3].map(() => places.hold(work, full)));
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  expect(ends[2]).toMatchObject({ reason: { message: 'full' } });
  expect(done).toBe(2);
  await Promise.all([places.hold(work, full), places.hold(work, full)]);
  expect(done).toBe(4);
});

it('keeps places for other networks once half are taken', async () => {
  const places = new Bulkhead(8);
  const { promise, resolve } = Promise.withResolvers<void>();
  const hold = (network?: string) =>
    places
      .hold(() => promise, full, network)
      .then(
        () => 'done',
        () => 'full',
      );
  const flood = ['a', 'a', 'a', 'a', 'a', 'a'].map(hold);
  const others = ['b', 'c', undefined, 'b', 'c'].map(hold);
  resolve();
  expect(await Promise.all(flood)).toEqual(['done', 'done', 'done', 'done', 'full', 'full']);
  expect(await Promise.all(others)).toEqual(['done', 'done', 'done', 'done', 'full']);
  expect(await Promise.all([hold('a'), hold('a')])).toEqual(['done', 'done']);
});
