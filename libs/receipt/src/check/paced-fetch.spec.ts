import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pacedFetch } from './paced-fetch.ts';

/** Start times of requests, ms. */
let began: number[];
const requests: unknown[][] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  began = [];
  requests.length = 0;
  vi.stubGlobal('fetch', async (...request: unknown[]) => {
    began.push(performance.now());
    requests.push(request);
    return new Response('answered');
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('pacedFetch', () => {
  it('requests immediately without a known limit', async () => {
    const response = await pacedFetch(undefined)('http://node', { method: 'POST' });
    expect(await response.text()).toBe('answered');
    expect(requests).toEqual([['http://node', { method: 'POST' }]]);
  });

  it('spreads requests evenly below the limit', async () => {
    const paced = pacedFetch(60);
    const all = Promise.all(['a', 'b', 'c'].map((path) => paced(`http://node/${path}`)));
    await vi.advanceTimersByTimeAsync(2000);
    await all;
    expect(began).toEqual([0, 1000, 2000]);
    expect(requests.map(([input]) => input)).toEqual(['http://node/a', 'http://node/b', 'http://node/c']);
    // Unused requests are not saved for later.
    await vi.advanceTimersByTimeAsync(10_000);
    const later = Promise.all([paced('http://node/d'), paced('http://node/e')]);
    await vi.advanceTimersByTimeAsync(1000);
    await later;
    expect(began.slice(3)).toEqual([12_000, 13_000]);
  });

  it('drops an aborted request', async () => {
    const paced = pacedFetch(60);
    await Promise.all([paced('http://node/a'), vi.advanceTimersByTimeAsync(0)]);
    const controller = new AbortController();
    const given = paced('http://node/b', { signal: controller.signal });
    const failure = expect(given).rejects.toThrow('no longer wanted');
    controller.abort(new Error('no longer wanted'));
    await failure;
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(5000);
    expect(began).toHaveLength(1);
  });
});
