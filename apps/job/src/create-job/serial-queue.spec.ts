import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SerialQueue } from './serial-queue.ts';

const full = () => new Error('full');

describe('pieces of work in a SerialQueue', () => {
  it('come one after the other, and a failure is the failure of one alone', async () => {
    const queue = new SerialQueue(3);
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
    const ends = await Promise.allSettled([0, 1, 2].map((name) => queue.run(() => work(name), full)));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(most).toBe(1);
  });

  it('are refused at once where too many wait, and taken again when they are done', async () => {
    const queue = new SerialQueue(2);
    const never = new Promise<void>(() => undefined);
    const [first, second] = [queue.run(setImmediate, full), queue.run(setImmediate, full)];
    await expect(queue.run(() => never, full)).rejects.toThrow('full');
    await Promise.all([first, second]);
    await expect(queue.run(async () => 'done', full)).resolves.toBe('done');
  });
});
