import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { type BatchPiece, BatchQueue } from './batch-queue.ts';

let batches: string[][];

beforeEach(() => {
  batches = [];
});

/** Doubles each word; 'bad' fails alone, and 'poison' fails its whole batch. */
async function double(batch: readonly BatchPiece<string>[]): Promise<PromiseSettledResult<string>[]> {
  const words = batch.map(({ piece }) => piece);
  batches.push(words);
  await setImmediate();
  if (words.includes('poison')) throw new Error('poison');
  return words.map((word) =>
    word === 'bad' ? { status: 'rejected', reason: new Error('bad') } : { status: 'fulfilled', value: word + word },
  );
}

describe('BatchQueue', () => {
  it('batches one turn and never overlaps', async () => {
    const queue = new BatchQueue(double);
    const first = Promise.all(['a', 'b'].map((word) => queue.run(word)));
    await setImmediate();
    const second = Promise.all(['c', 'd', 'e'].map((word) => queue.run(word)));
    expect(await first).toEqual(['aa', 'bb']);
    expect(await second).toEqual(['cc', 'dd', 'ee']);
    expect(await queue.run('f')).toBe('ff');
    expect(batches).toEqual([['a', 'b'], ['c', 'd', 'e'], ['f']]);
  });

  it('isolates a failure within a batch', async () => {
    const queue = new BatchQueue(double);
    const ends = await Promise.allSettled(['a', 'bad', 'b'].map((word) => queue.run(word)));
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message))).toEqual([
      'aa',
      'bad',
      'bb',
    ]);
    const after = await Promise.allSettled(['c', 'poison', 'd'].map((word) => queue.run(word)));
    expect(after.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message))).toEqual([
      'cc',
      'poison',
      'dd',
    ]);
    expect(batches.slice(1)).toEqual([['c', 'poison', 'd'], ['c'], ['poison'], ['d']]);
  });

  it('traces each piece and the first caller', async () => {
    const callers = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const queue = new BatchQueue<string, void>(async (batch) => {
      seen.push([callers.getStore(), ...batch.map(({ onBehalf }) => onBehalf(() => callers.getStore()))]);
      return batch.map(() => ({ status: 'fulfilled', value: undefined }));
    });
    const ask = (caller: string) => callers.run(caller, () => queue.run(caller));
    const first = Promise.all([ask('anna'), ask('ben')]);
    await setImmediate();
    await Promise.all([first, ask('carl')]);
    expect(seen).toEqual([
      ['anna', 'anna', 'ben'],
      ['carl', 'carl'],
    ]);
  });
});
