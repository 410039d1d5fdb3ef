import { afterEach, expect, it, vi } from 'vitest';
import { Readiness } from './readiness.ts';

afterEach(() => vi.useRealTimers());

it('is false during start, failures and shutdown', async () => {
  const readiness = new Readiness();
  let reachable = false;
  readiness.add('mongo', () => {
    if (!reachable) throw new Error('not connected');
  });
  expect((await readiness.report()).ready).toBe(false);
  readiness.started();
  expect(await readiness.report()).toEqual({ ready: false, failing: { mongo: 'not connected' } });
  reachable = true;
  expect(await readiness.report()).toEqual({ ready: true, failing: {} });
  readiness.drain();
  expect((await readiness.report()).ready).toBe(false);
});

it('checks all dependencies in parallel with a limit', async () => {
  vi.useFakeTimers();
  const readiness = new Readiness();
  for (const name of ['mongo', 'nats']) readiness.add(name, () => new Promise<void>(() => undefined));
  readiness.started();
  const report = readiness.report();
  await vi.advanceTimersByTimeAsync(1500);
  const silent = 'no answer within 1500 ms';
  expect(await report).toEqual({ ready: false, failing: { mongo: silent, nats: silent } });
});
