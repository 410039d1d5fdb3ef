import { RequestFailedError } from '@maker/messaging';
import { beforeEach, describe, expect, it } from 'vitest';
import { BatchLoader } from './batch-loader.ts';

describe('BatchLoader', () => {
  let requests: (readonly [keys: readonly string[], timeoutMs: number])[];
  let unknown: readonly string[];
  let failure: Error | undefined;
  let loader: BatchLoader<string>;

  beforeEach(() => {
    requests = [];
    unknown = [];
    failure = undefined;
    loader = new BatchLoader({
      most: 3,
      one: async (key, timeoutMs) => {
        requests.push([[key], timeoutMs]);
        if (unknown.includes(key)) throw new Error(`unknown ${key}`);
        return `${key} alone`;
      },
      many: async (keys, timeoutMs) => {
        requests.push([keys, timeoutMs]);
        if (failure) throw failure;
        return new Map(keys.filter((key) => !unknown.includes(key)).map((key) => [key, `${key} among others`]));
      },
    });
  });

  it('sends a single request alone', async () => {
    expect(await loader.load('a', 100)).toBe('a alone');
    expect(await loader.load('b', 100)).toBe('b alone');
  });

  it('batches concurrent requests by key, size and deadline', async () => {
    const answers = await Promise.all(['a', 'b', 'a', 'c'].map((key, index) => loader.load(key, 100 - index)));
    expect(answers).toEqual(['a among others', 'b among others', 'a among others', 'c alone']);
    expect(requests).toEqual([
      [['a', 'b'], 98],
      [['c'], 97],
    ]);
  });

  it('rejects only the caller of an unknown key', async () => {
    unknown = ['b'];
    const [known, refused] = await Promise.allSettled([loader.load('a', 100), loader.load('b', 100)]);
    expect(known).toEqual({ status: 'fulfilled', value: 'a among others' });
    expect(refused).toMatchObject({ status: 'rejected', reason: new Error('unknown b') });
  });

  it('rejects all callers on a failure, without a retry', async () => {
    failure = new RequestFailedError('SERVICE_TIMEOUT', 'No answer');
    const ends = await Promise.allSettled([loader.load('a', 100), loader.load('b', 100)]);
    expect(ends).toMatchObject([{ reason: failure }, { reason: failure }]);
    expect(requests).toHaveLength(1);
  });
});
