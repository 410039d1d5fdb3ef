import { RequestFailedError } from '@maker/messaging';
import { beforeEach, describe, expect, it } from 'vitest';
import { BatchLoader } from './batch-loader.ts';

describe('BatchLoader', () => {
  let asked: (readonly [keys: readonly string[], timeoutMs: number])[];
  let unknown: readonly string[];
  let failure: Error | undefined;
  let questions: BatchLoader<string>;

  beforeEach(() => {
    asked = [];
    unknown = [];
    failure = undefined;
    questions = new BatchLoader({
      most: 3,
      one: async (key, timeoutMs) => {
        asked.push([[key], timeoutMs]);
        if (unknown.includes(key)) throw new Error(`nobody knows ${key}`);
        return `${key} alone`;
      },
      many: async (keys, timeoutMs) => {
        asked.push([keys, timeoutMs]);
        if (failure) throw failure;
        return new Map(keys.filter((key) => !unknown.includes(key)).map((key) => [key, `${key} among others`]));
      },
    });
  });

  it('asks by itself for what comes alone', async () => {
    expect(await questions.ask('a', 100)).toBe('a alone');
    expect(await questions.ask('b', 100)).toBe('b alone');
  });

  it('asks at once for what comes at once, each key one time, as many as one question may hold, for as long as each of them may wait', async () => {
    const answers = await Promise.all(['a', 'b', 'a', 'c'].map((key, index) => questions.ask(key, 100 - index)));
    expect(answers).toEqual(['a among others', 'b among others', 'a among others', 'c alone']);
    expect(asked).toEqual([
      [['a', 'b'], 98],
      [['c'], 97],
    ]);
  });

  it('lets whoever asks for what nobody knows hear that, and nobody else', async () => {
    unknown = ['b'];
    const [known, refused] = await Promise.allSettled([questions.ask('a', 100), questions.ask('b', 100)]);
    expect(known).toEqual({ status: 'fulfilled', value: 'a among others' });
    expect(refused).toMatchObject({ status: 'rejected', reason: new Error('nobody knows b') });
  });

  it('asks for each by itself where nobody hears the question for many: a service of the release before', async () => {
    failure = new RequestFailedError('SERVICE_UNAVAILABLE', 'Nobody could answer');
    expect(await Promise.all([questions.ask('a', 100), questions.ask('b', 100)])).toEqual(['a alone', 'b alone']);
  });

  it('tells all of them of a failure, and asks nobody again', async () => {
    failure = new RequestFailedError('SERVICE_TIMEOUT', 'No answer');
    const ends = await Promise.allSettled([questions.ask('a', 100), questions.ask('b', 100)]);
    expect(ends).toMatchObject([{ reason: failure }, { reason: failure }]);
    expect(asked).toHaveLength(1);
  });
});
