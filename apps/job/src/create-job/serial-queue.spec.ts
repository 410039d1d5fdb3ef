import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SerialQueue } from './serial-queue.ts';

it('pieces of work come one after the other, and a failure is the failure of one alone', async () => {
  const queue = new SerialQueue();
  let atWork = 0;
  let most = 0;
  const work = async (name: number) => {
    atWork += 1;
    most = Math.max(most, atWork);
    await setImmediate();
    atWork -= 1;
    if (name === 1) throw new Error('the second one');
    return name;
  };
  const ends = await Promise.allSettled([0, 1, 2].map((name) => queue.run(() => work(name))));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(most).toBe(1);
});
