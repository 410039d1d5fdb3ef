import { describe, expect, it } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

describe('KeyedQueue', () => {
  it('keeps a key’s order without blocking other keys', async () => {
    const queue = new KeyedQueue();
    const first = Promise.withResolvers<void>();
    const done: string[] = [];
    void queue.run('a', () => first.promise.then(() => void done.push('a1')));
    const second = queue.run('a', async () => void done.push('a2'));
    await queue.run('b', async () => void done.push('b1'));
    expect(done).toEqual(['b1']);
    expect(queue.size).toBe(2);
    first.resolve();
    await queue.next();
    await second;
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });

  it('is idle when all work has ended', async () => {
    const queue = new KeyedQueue();
    const done: number[] = [];
    for (let count = 0; count < 20; count += 1) void queue.run(`key ${count % 3}`, async () => void done.push(count));
    await queue.idle();
    expect(done).toHaveLength(20);
    expect(queue.size).toBe(0);
  });
});
